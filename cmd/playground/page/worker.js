// A worker is the program. The page sends it the compiled module, and then calls by name; messages of the language
// server have the key "lsp".
importScripts("wasm_exec.js");
onmessage = async ({data: module}) => {
  const go = new Go();
  go.run(await WebAssembly.instantiate(module, go.importObject));
  let editor;
  onmessage = ({data}) => {
    if (data.lsp) {
      editor ??= roceplan.serve(text => postMessage({lsp: text}));
      return editor(data.lsp);
    }
    postMessage({answer: JSON.parse(roceplan[data.name](...data.args))});
  };
  postMessage({ready: true});
};
