export const logoFormats = ['png', 'jpeg', 'webp'] as const;
export type LogoFormat = (typeof logoFormats)[number];

/** The sides of the two renditions, in pixels (docs/specification.md, “Logo”). */
export const renditionSizes = [256, 512] as const;
export type RenditionSize = (typeof renditionSizes)[number];
