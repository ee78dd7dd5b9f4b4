/** Raster image that browsers only draw. It contains no scripts, links or external references. */
export interface Logo {
  type: 'image/png' | 'image/jpeg' | 'image/webp';
  data: Buffer;
}

/** Maximum size of a logo in bytes. */
export const maxLogoBytes = 65_536;

/**
 * Maximum width and height in pixels. Pages draw logos with 36 CSS pixels; larger images could be decompression bombs.
 */
const maxSide = 1_024;

/** Reason why an image is rejected, as a sentence for the sender. */
export class UnfitLogo extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UnfitLogo';
  }
}

/**
 * Detects the image in bytes, independent of the declared type. SVG is rejected: it can contain scripts and links.
 * @throws UnfitLogo
 */
export function readLogo(data: Buffer): Logo {
  if (data.length > maxLogoBytes) throw new UnfitLogo(`A logo must have at most ${maxLogoBytes} bytes.`);
  const found = png(data) ?? jpeg(data) ?? webp(data);
  if (!found) throw new UnfitLogo('A logo must be a PNG, JPEG or WebP image.');
  const { type, width, height } = found;
  if (width < 1 || height < 1 || width > maxSide || height > maxSide) {
    throw new UnfitLogo(`A logo must be at most ${maxSide} pixels wide and high.`);
  }
  return { type, data };
}

/**
 * Returns the logo in a base64-encoded `data:` URL (RFC 2397).
 * @throws UnfitLogo
 */
export function readLogoUrl(url: string): Logo {
  const match = /^data:image\/(?:png|jpeg|webp);base64,([A-Za-z0-9+/]+={0,2})$/.exec(
    url.length > maxLogoBytes * 2 ? '' : url,
  );
  if (!match) throw new UnfitLogo('A logo must be a data URL: data:image/png;base64,… (or jpeg, or webp).');
  return readLogo(Buffer.from(match[1] ?? '', 'base64'));
}

interface Dimensions {
  type: Logo['type'];
  width: number;
  height: number;
}

const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex');

/** PNG (ISO 15948) §11.2.2: the header chunk comes first. */
function png(data: Buffer): Dimensions | undefined {
  if (data.length < 33 || !data.subarray(0, 8).equals(pngSignature)) return undefined;
  if (data.toString('latin1', 12, 16) !== 'IHDR') return undefined;
  return { type: 'image/png', width: data.readUInt32BE(16), height: data.readUInt32BE(20) };
}

/** JPEG (ITU T.81) §B.2.2: the frame header is one of the SOF segments. */
function jpeg(data: Buffer): Dimensions | undefined {
  if (data.length < 4 || data.readUInt16BE(0) !== 0xffd8) return undefined;
  for (let at = 2; at + 9 < data.length; ) {
    if (data[at] !== 0xff) return undefined;
    const marker = data[at + 1] ?? 0;
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      return { type: 'image/jpeg', height: data.readUInt16BE(at + 5), width: data.readUInt16BE(at + 7) };
    }
    at += 2 + data.readUInt16BE(at + 2);
  }
  return undefined;
}

/** WebP (RFC 9649) §2.5 to §2.7. */
function webp(data: Buffer): Dimensions | undefined {
  if (data.length < 30 || data.toString('latin1', 0, 4) !== 'RIFF') return undefined;
  if (data.toString('latin1', 8, 12) !== 'WEBP') return undefined;
  const type = 'image/webp';
  switch (data.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { type, width: data.readUInt16LE(26) & 0x3fff, height: data.readUInt16LE(28) & 0x3fff };
    case 'VP8L': {
      const bits = data.readUInt32LE(21);
      return { type, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      return { type, width: data.readUIntLE(24, 3) + 1, height: data.readUIntLE(27, 3) + 1 };
    default:
      return undefined;
  }
}
