// A Program is roceplan in a worker. It answers one call after the other; of calls that wait, the last alone is made.
export class Program {
  constructor(module) {
    this.module = module;
    this.restart();
  }

  // restart ends what the program is doing, and begins anew.
  restart() {
    this.worker?.terminate();
    this.next?.done({ error: "stopped" });
    this.doing?.({ error: "stopped" });
    this.doing = this.next = null;
    this.worker = new Worker("worker.js");
    this.ready = new Promise(ready => {
      this.worker.onmessage = ({ data }) => {
        if (data.ready) { ready(); return this.begin(); }
        if (data.lsp) return this.heard(data.lsp);
        const done = this.doing;
        this.doing = null;
        done(data.answer);
        this.begin();
      };
      this.worker.onerror = e => { console.error(e.message); this.restart(); };
    });
    this.up = false;
    this.ready.then(() => { this.up = true; this.begin(); });
    this.worker.postMessage(this.module);
  }

  // ask calls a function of the program with texts.
  ask(name, ...args) {
    return new Promise(done => {
      this.next?.done({ error: "old" });
      this.next = { message: { name, args }, done };
      this.begin();
    });
  }

  begin() {
    if (!this.up || this.doing || !this.next?.message) return;
    const { message, done } = this.next;
    this.next = null;
    this.doing = done;
    this.worker.postMessage(message);
  }
}
