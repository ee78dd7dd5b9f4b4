import { readFile } from 'node:fs/promises';

/**
 * Code that reads the input nodes: the number of edges, and for each edge its field, mask, child, enumeration and
 * flags.
 */
const nodes =
  /(let (\w+)=this\.#(\w+)\(\),(\w+)=\{\};for\(let (\w+)=0;\5<\2;\5\+\+\)\{let \w+=this\.#\3\(\),\w+=this\.#(\w+)\(\),\w+=this\.#(\w+)\(\),\w+=this\.#\7\(\),\w+=\{flags:this\.#(\w+)\(\)\};[^}]*?\4\[\w+\]=\w+\})(\w+)\.push\(\{edges:\4\}\)/;
/** Code that reads a byte; the captured field is the position. */
const byte = /#\w+\(\)\{let (\w+)=this\.#\w+\.getUint8\(this\.#(\w+)\);return this\.#\2\+=1,\1\}/;

/**
 * Decodes Prisma's argument graph, which distinguishes values, one node at a time on access. The complete graph takes
 * ten megabytes for fifty tables, most of which are never accessed.
 * @param text of @prisma/client/runtime/client.js
 * @throws Error when the code does not match
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
