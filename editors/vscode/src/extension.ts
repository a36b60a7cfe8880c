// Starts `roceplan lsp` and hands it the fabric files of the workspace. All that is known of
// fabrics is in the server.
import { commands, ExtensionContext, window, workspace } from 'vscode';
import { LanguageClient } from 'vscode-languageclient/node';
import { clientOptions, explain, serverOptions } from './server';

let client: LanguageClient | undefined;

async function start(): Promise<void> {
  await client?.dispose();
  const settings = workspace.getConfiguration('roceplan');
  const program = settings.get<string>('path') || 'roceplan';
  client = new LanguageClient('roceplan', 'roceplan', serverOptions(program, settings.get<string[]>('arguments')), clientOptions());
  try {
    await client.start();
  } catch (failure) {
    window.showErrorMessage(explain(program, failure));
  }
}

export async function activate(context: ExtensionContext): Promise<void> {
  context.subscriptions.push(
    commands.registerCommand('roceplan.restart', start),
    workspace.onDidChangeConfiguration(change => {
      if (change.affectsConfiguration('roceplan.path') || change.affectsConfiguration('roceplan.arguments')) {
        return start();
      }
      return undefined;
    }),
  );
  await start();
}

export async function deactivate(): Promise<void> {
  await client?.dispose();
}
