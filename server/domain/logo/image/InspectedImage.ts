import type { LogoFormat } from './formats.ts';

/** A file that is one still image of an accepted format and size; `decodable` is the part of it that the decoder is given. */
export type InspectedImage = {
  readonly format: LogoFormat;
  /** As the file states it, before its orientation is applied. */
  readonly width: number;
  readonly height: number;
  readonly decodable: Buffer;
};
