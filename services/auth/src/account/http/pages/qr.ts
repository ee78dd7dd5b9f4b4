import { encode } from 'uqr';

/** A QR code as an SVG of one path: sharp at every size, and nothing in it that a strict policy would stop. */
export function qrSvg(text: string): string {
  const { data, size } = encode(text, { ecc: 'M', border: 2 });
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return `<svg viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges" aria-hidden="true"><path fill="#000" d="${path}"/></svg>`;
}
