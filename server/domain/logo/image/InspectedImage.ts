import type { LogoFormat } from './formats.ts';

/** A file that is one still picture of an accepted format and size; `decodable` is what the decoder is given of it. */
export type InspectedImage = {
  readonly format: LogoFormat;
  /** As the file says, before its orientation is applied. */
  readonly width: number;
  readonly height: number;
  readonly decodable: Buffer;
};
