// Stands for the browser's Web Serial: one port, whose bytes and lines go to the test's chip over a socket.
(() => {
  const address = `ws://${location.host}/chip`;
  let socket = null, lines = [false, false], toPage = null, failWrite = null;

  class Port extends EventTarget {
    readable = null;
    writable = null;
    getInfo() { return {usbVendorId: 0x10c4, usbProductId: 0xea60}; }

    async open({baudRate}) {
      if (this.readable || this.writable) throw new DOMException("The port is already open.", "InvalidStateError");
      socket = new WebSocket(`${address}?baud=${baudRate}`);
      socket.binaryType = "arraybuffer";
      await new Promise((done, refuse) => {
        socket.onopen = done;
        socket.onerror = () => refuse(new DOMException("Failed to open serial port.", "NetworkError"));
      });
      const mine = socket;
      const make = () => {
        this.readable = new ReadableStream({
          start(out) { toPage = out; },
          cancel: () => { if (mine === socket && mine.readyState === 1) make(); },
        });
      };
      make();
      this.writable = new WritableStream({
        start(out) { failWrite = out; },
        write(bytes) { mine.send(bytes); },
      });
      socket.onmessage = ({data}) => toPage.enqueue(new Uint8Array(data));
      socket.onclose = () => {
        if (mine !== socket) return;
        const gone = new DOMException("The device has been lost.", "NetworkError");
        try { toPage.error(gone); } catch { /* it is closed */ }
        try { failWrite.error(gone); } catch { /* it is closed */ }
        this.readable = this.writable = null;
        this.dispatchEvent(new Event("disconnect"));
      };
    }

    async close() {
      if (this.readable?.locked || this.writable?.locked) throw new TypeError("Cannot cancel a locked stream");
      const mine = socket;
      socket = null;
      this.readable = this.writable = null;
      mine?.close();
    }

    async setSignals({dataTerminalReady = lines[0], requestToSend = lines[1]}) {
      if (!socket || socket.readyState !== 1) throw new DOMException("The port is closed.", "InvalidStateError");
      lines = [dataTerminalReady, requestToSend];
      socket.send(JSON.stringify(lines));
    }
  }

  const port = new Port();
  const serial = Object.assign(new EventTarget(), {
    requestPort: async () => {
      if (window.refusesPort) throw new DOMException("No port selected by the user.", "NotFoundError");
      return port;
    },
    getPorts: async () => [port],
  });
  Object.defineProperty(navigator, "serial", {value: serial, configurable: true});
})();
