import classes from './LogoPreview.module.css';

type Logo = { url256: string; url512: string };

/** Both renditions of the logo, on a light and on a dark background. `name` is the integration's. */
export function LogoPreview({ logo, name }: { logo: Logo; name: string }) {
  const renditions = [
    { src: logo.url512, side: 512, ground: 'light' },
    { src: logo.url256, side: 256, ground: 'light' },
    { src: logo.url256, side: 256, ground: 'dark' },
  ] as const;
  return (
    <div className={classes.previews}>
      {renditions.map(({ src, side, ground }) => (
        <figure key={`${side} ${ground}`} className={classes.preview}>
          <span className={classes.ground} data-ground={ground}>
            {/* Shown at half its size in pixels, for screens with two pixels for one. */}
            <img src={src} width={side / 2} height={side / 2} alt={`Logo of ${name}`} />
          </span>
          <figcaption>
            {side} × {side} pixels, on a {ground} background
          </figcaption>
        </figure>
      ))}
    </div>
  );
}
