// The client's side: what package.json says is what the code uses, and the program that the code
// starts answers in the protocol as the editor's own library reads it.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';

const require = createRequire(import.meta.url);
const { buildSync } = require('esbuild');
const out = join(mkdtempSync(join(tmpdir(), 'client-')), 'server.cjs');
buildSync({ entryPoints: ['src/server.ts'], bundle: true, platform: 'node', outfile: out, external: ['vscode'] });
const { clientOptions, explain, language, serverOptions } = require(out);
const protocol = require('vscode-languageserver-protocol/node');
const manifest = JSON.parse(readFileSync('package.json', 'utf8'));

test('one name of the language', () => {
  const [declared] = manifest.contributes.languages;
  assert.equal(declared.id, language);
  assert.equal(manifest.contributes.grammars[0].language, language);
  assert.deepEqual(clientOptions().documentSelector, [{ scheme: 'file', language }]);
});

test('not every *.hcl is a fabric', () => {
  const [declared] = manifest.contributes.languages;
  for (const extension of declared.extensions) assert.match(extension, /^\..+\.hcl$/);
});

test('the defaults of the settings are those of the code', () => {
  const { properties } = manifest.contributes.configuration;
  const server = serverOptions(properties['roceplan.path'].default);
  assert.deepEqual(server, { command: 'roceplan', args: properties['roceplan.arguments'].default });
});

test('a program that is missing is told of with what to do', () => {
  assert.match(explain('/no/such', new Error('spawn /no/such ENOENT')), /Install roceplan, or name it in the setting roceplan\.path/);
});

test('the program serves', { timeout: 60_000 }, async () => {
  const { command, args } = serverOptions(process.env.ROCEPLAN ?? 'roceplan');
  const server = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const connection = protocol.createProtocolConnection(
    new protocol.StreamMessageReader(server.stdout), new protocol.StreamMessageWriter(server.stdin));
  const published = new Promise(resolve => connection.onNotification(protocol.PublishDiagnosticsNotification.type, resolve));
  connection.listen();
  const folder = mkdtempSync(join(tmpdir(), 'pod-'));
  const text = 'fabric "pod" {\n  mtu = 9216\n}\n';
  writeFileSync(join(folder, 'fabric.hcl'), text);
  const uri = pathToFileURL(join(folder, 'fabric.hcl')).href;
  const { capabilities } = await connection.sendRequest(protocol.InitializeRequest.type, {
    processId: process.pid, rootUri: pathToFileURL(folder).href, capabilities: {}, workspaceFolders: null,
  });
  assert.ok(capabilities.hoverProvider && capabilities.completionProvider && capabilities.documentFormattingProvider);
  connection.sendNotification(protocol.InitializedNotification.type, {});
  connection.sendNotification(protocol.DidOpenTextDocumentNotification.type, {
    textDocument: { uri, languageId: language, version: 1, text },
  });
  const { diagnostics } = await published;
  assert.ok(diagnostics.some(d => d.code === 'unit-missing' && d.range.start.line === 1), JSON.stringify(diagnostics));
  const hover = await connection.sendRequest(protocol.HoverRequest.type, { textDocument: { uri }, position: { line: 1, character: 3 } });
  assert.match(JSON.stringify(hover.contents), /mtu/);
  await connection.sendRequest(protocol.ShutdownRequest.type);
  connection.sendNotification(protocol.ExitNotification.type);
  const code = await new Promise(resolve => server.on('exit', resolve));
  assert.equal(code, 0);
});
