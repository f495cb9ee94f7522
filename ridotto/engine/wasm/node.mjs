// A module of WebAssembly under Node, which another program works with through a pipe: see node.py.
import { readFileSync, readSync, writeSync } from "node:fs";

const { instance } = await WebAssembly.instantiate(readFileSync(process.argv[2]));
const names = Object.keys(instance.exports).filter((name) => typeof instance.exports[name] === "function");
const functions = names.map((name) => instance.exports[name]);

function receive(size) {
    const bytes = Buffer.alloc(size);
    for (let at = 0; at < size; ) {
        const count = readSync(0, bytes, at, size - at);
        if (count === 0) process.exit(0);
        at += count;
    }
    return bytes;
}

function send(bytes) {
    for (let at = 0; at < bytes.length; ) at += writeSync(1, bytes, at);
}

const memory = (address, size) => new Uint8Array(instance.exports.memory.buffer, address, size);
const list = Buffer.from(JSON.stringify(names));
const length = Buffer.alloc(4);
length.writeUInt32LE(list.length);
send(Buffer.concat([length, list]));
for (;;) {
    // The number of a function (-1: none, -2: the time), an address, the bytes to write there, the bytes to read from there.
    const head = receive(16);
    const [which, address, given, wanted] = [head.readInt32LE(0), head.readUInt32LE(4), head.readUInt32LE(8), head.readUInt32LE(12)];
    if (given) memory(address, given).set(receive(given));
    const reply = Buffer.alloc(8);
    try {
        if (which >= 0) reply.writeInt32LE(functions[which](address), 4);
    } catch (error) {
        reply.writeInt32LE(1);
        process.stderr.write(`${error.stack}\n`);
    }
    if (which === -2) reply.writeUInt32LE(process.cpuUsage().user & 0xffffffff, 4);
    send(wanted ? Buffer.concat([reply, memory(address, wanted)]) : reply);
}
