/** Every reason for which a logo is refused, with the words that the operator reads. `detail` is what was found in the file. */
const logoRefusals = {
  empty: () => 'The file is empty. Choose a PNG, JPEG or WebP image.',
  tooManyBytes: () => 'The file is larger than 2 MiB (2,097,152 bytes). Reduce its dimensions or compress it more.',
  svg: () => 'This is an SVG drawing. SVG is not accepted, because it can carry scripts. Export the logo as PNG, at least 512 pixels wide.',
  otherFormat: ({ detail }) =>
    `This is ${detail}. A logo must be a PNG, JPEG or WebP image: open it in an image editor and export it as PNG.`,
  animated: ({ detail }) => `This is an animated ${detail}. A logo must be a still image: export a single frame.`,
  sides: ({ detail }) => `The image is ${detail} pixels. Each side must be 256 to 2048 pixels long.`,
  truncated: () => 'The file ends in the middle of the image, so it was not copied completely. Upload the original again.',
  damaged: ({ detail }) => `The file is damaged: ${detail}. Open it in an image editor and export it again.`,
  trailingData: ({ detail }) =>
    `The file contains ${detail} after the end of the image. A logo must be one image and nothing else: open it in an image editor and export it again.`,
  hiddenFile: ({ detail }) =>
    `${detail} is hidden inside the image. A logo must be one image and nothing else: open it in an image editor and export it without metadata.`,
  bomb: () =>
    'The file unpacks to far more data than an image of its size needs, as a decompression bomb does. Open it in an image editor and export it again.',
  unsupported: ({ detail }) =>
    `The file uses ${detail}, which is not supported. Open it in an image editor and export it as an ordinary PNG.`,
  tooSlow: () => 'The image takes too long to decode. Open it in an image editor and export it as an ordinary PNG.',
} as const satisfies Record<string, (facts: { detail: string }) => string>;

/** A reason code: the key of a row of `logoRefusals`. */
type LogoRefusal = keyof typeof logoRefusals;

/** Thrown by the steps of the inspection; `message` is what the operator reads. */
export class LogoRefused extends Error {
  readonly reason: LogoRefusal;

  constructor(reason: LogoRefusal, detail = '') {
    super(logoRefusals[reason]({ detail }));
    this.reason = reason;
  }
}
