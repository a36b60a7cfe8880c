// What the server is and which files are its own: apart from the editor, so that tests can use it.
import type { LanguageClientOptions } from 'vscode-languageclient';
import type { Executable } from 'vscode-languageclient/node';

// The language's name in package.json.
export const language = 'roceplan';

export function serverOptions(program: string, args: string[] = ['lsp']): Executable {
  return { command: program, args };
}

export function clientOptions(): LanguageClientOptions {
  return {
    // The server reads files of a folder; texts that are not saved yet have none.
    documentSelector: [{ scheme: 'file', language }],
    outputChannelName: 'roceplan',
  };
}

// explain says why the server does not start, and what to do.
export function explain(program: string, failure: unknown): string {
  const reason = failure instanceof Error ? failure.message : String(failure);
  if (reason.includes('ENOENT')) {
    return `There is no program ${program}. Install roceplan, or name it in the setting roceplan.path.`;
  }
  return `${program} does not serve: ${reason}`;
}
