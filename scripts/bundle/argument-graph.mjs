import { readFile } from 'node:fs/promises';

/** Reads one input node after the other: how many edges it has, and of each its field, mask, child, enumeration and flags. */
const nodes =
  /(let (\w+)=this\.#(\w+)\(\),(\w+)=\{\};for\(let (\w+)=0;\5<\2;\5\+\+\)\{let \w+=this\.#\3\(\),\w+=this\.#(\w+)\(\),\w+=this\.#(\w+)\(\),\w+=this\.#\7\(\),\w+=\{flags:this\.#(\w+)\(\)\};[^}]*?\4\[\w+\]=\w+\})(\w+)\.push\(\{edges:\4\}\)/;
/** Reads a byte: which field says where. */
const byte = /#\w+\(\)\{let (\w+)=this\.#\w+\.getUint8\(this\.#(\w+)\);return this\.#\2\+=1,\1\}/;

/**
 * What Prisma knows of the arguments of each query, to tell values from the rest, is decoded a node at a time, when one is asked about: all of it
 * takes ten megabytes for fifty tables, of which few are ever asked about.
 * @param text of @prisma/client/runtime/client.js
 * @throws Error when it decodes otherwise
 */
export function decodingWhenAsked(text) {
  const at = byte.exec(text)?.[2];
  if (at === undefined || !nodes.test(text)) throw new Error('Prisma decodes arguments otherwise now');
  return text.replace(nodes, (_whole, decode, _count, number, edges, _index, mask, optional, flags, list) =>
    [
      `const from=this.#${at};`,
      `for(let left=this.#${number}();left>0;left--)`,
      `this.#${number}(),this.#${mask}(),this.#${optional}(),this.#${optional}(),this.#${flags}();`,
      `const decode=()=>{this.#${at}=from;${decode};return ${edges}};`,
      `${list}.push({get edges(){const value=decode();Object.defineProperty(this,"edges",{value});return value}})`,
    ].join(''),
  );
}

export function argumentGraph() {
  return {
    name: 'argument graph',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]@prisma[\\/]client[\\/]runtime[\\/]client\.js$/ }, async ({ path }) => ({
        contents: decodingWhenAsked(await readFile(path, 'utf8')),
        loader: 'js',
      }));
    },
  };
}
