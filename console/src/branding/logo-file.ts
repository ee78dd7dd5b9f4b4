/** Limits of a logo in the description of the graph, in bytes and pixels. */
const maxBytes = 65_536;
const maxSide = 1_024;
const types = ['image/png', 'image/jpeg', 'image/webp'];

/** Reason why an image is rejected. */
export type LogoProblem = 'type' | 'size' | 'side' | 'unreadable';

export type LogoFile = { url: string } | { problem: LogoProblem };

/** Reads an image as a `data:` URL, if the server would accept it. */
export async function readLogo(file: File): Promise<LogoFile> {
  if (!types.includes(file.type)) return { problem: 'type' };
  if (file.size > maxBytes) return { problem: 'size' };
  const url = await dataUrlOf(file);
  try {
    const picture = await createImageBitmap(file);
    const { width, height } = picture;
    picture.close();
    if (width > maxSide || height > maxSide) return { problem: 'side' };
  } catch {
    return { problem: 'unreadable' };
  }
  return { url };
}

const dataUrlOf = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
