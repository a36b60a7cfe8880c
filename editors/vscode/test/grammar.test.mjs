// The grammar as the editor reads it, by the editor's own tokeniser.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync, existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import test from 'node:test';

const require = createRequire(import.meta.url);
const oniguruma = require('vscode-oniguruma');
const textmate = require('vscode-textmate');

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const { path, scopeName } = manifest.contributes.grammars[0];

const wasm = readFileSync(require.resolve('vscode-oniguruma/release/onig.wasm'));
const onigLib = oniguruma.loadWASM(wasm).then(() => ({
  createOnigScanner: patterns => new oniguruma.OnigScanner(patterns),
  createOnigString: text => new oniguruma.OnigString(text),
}));
const registry = new textmate.Registry({
  onigLib,
  loadGrammar: async name => name === scopeName ? textmate.parseRawGrammar(readFileSync(path, 'utf8'), path) : null,
});

// tokens gives every token of a text with its innermost scope.
async function tokens(text) {
  const grammar = await registry.loadGrammar(scopeName);
  let stack = textmate.INITIAL;
  const all = [];
  for (const line of text.split('\n')) {
    const result = grammar.tokenizeLine(line, stack);
    stack = result.ruleStack;
    for (const t of result.tokens) {
      all.push({ text: line.slice(t.startIndex, t.endIndex), scope: t.scopes.at(-1), scopes: t.scopes });
    }
  }
  return { all, depth: stack.depth };
}

async function scopeOf(text, word) {
  const found = (await tokens(text)).all.find(t => t.text.trim() === word);
  assert.ok(found, `${word} is no token of ${text}`);
  return found.scope.replace(/\.roceplan$/, '');
}

test('each kind of token', async () => {
  for (const [text, word, scope] of [
    ['traffic_class "rdma" {', 'traffic_class', 'entity.name.type'],
    ['trafic_class "rdma" {', 'trafic_class', 'meta.unknown'],
    ['switch "tor-[01..16]" {', '[01..16]', 'constant.other.range'],
    ['  ports = "Ethernet[32..60/4]"', '[32..60/4]', 'constant.other.range'],
    ['  cable = "100m"', 'cable', 'variable.other.property'],
    ['  cabel = "100m"', 'cabel', 'variable.other.readwrite'],
    ['  cable = "100m"', '100m', 'constant.numeric.quantity'],
    ['  max_latency = "1.5us" # bound', '# bound', 'comment.line.number-sign'],
    ['  scheduling = strict', 'strict', 'constant.language.word'],
    ['  congestion_control = dcqcn', 'dcqcn', 'constant.language.word'],
    ['  peer = nic.cx7', 'nic', 'entity.name.type'],
    ['  weight = 60', '60', 'constant.numeric'],
    ['  strict_name = lower(x)', 'lower', 'support.function'],
    ['  dscp = [for d in list : d if d > 3]', 'for', 'keyword.control'],
    ['  doc = "is ${var.a} of it"', 'var', 'entity.name.type'],
    ['  a = true', 'true', 'constant.language'],
  ]) {
    assert.equal(await scopeOf(text, word), scope, `${word} in ${text}`);
  }
});

test('a heredoc and a comment end where they end', async () => {
  const { all } = await tokens('headroom_table = <<EOT\nspeed "\nEOT\n/* x\n*/ mtu = "1B"');
  assert.equal(all.find(t => t.text === 'speed "').scope, 'string.unquoted.heredoc.roceplan');
  assert.equal(all.find(t => t.text.includes('mtu')).scope, 'source.roceplan');
});

test('examples: every block and attribute is known, every block is closed', async () => {
  const folder = process.env.EXAMPLES ?? '../../examples';
  let blocks = 0;
  for (const name of readdirSync(folder)) {
    const file = join(folder, name, 'fabric.hcl');
    if (!existsSync(file)) continue;
    const { all, depth } = await tokens(readFileSync(file, 'utf8'));
    assert.equal(depth, 1, `${file}: a block is open at its end`);
    for (const t of all) {
      assert.notEqual(t.scope, 'meta.unknown.roceplan', `${file}: ${t.text}`);
      if (t.scope === 'entity.name.type.roceplan') blocks++;
    }
  }
  assert.ok(blocks > 50, `${blocks} blocks`);
});
