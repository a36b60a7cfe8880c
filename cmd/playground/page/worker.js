// A worker is the program. The page sends it the compiled module, and then calls by name; what a language server
// says and is told goes under "lsp".
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
