import { useEffect, useRef } from 'react';
import type { Service } from '../integration/useIntegration.ts';
import classes from './BadgePanel.module.css';
import { badgeThemes } from './kitSnippets.ts';

const captions = { auto: 'auto: follows the reader’s system', light: 'light', dark: 'dark' } as const;

/** The badge in its three themes, made by the very script that operators load. */
export function BadgePreview({ attribution: { badgeUrl, badgeIntegrity } }: { attribution: Service['attribution'] }) {
  const places = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const script = Object.assign(document.createElement('script'), {
      src: badgeUrl,
      integrity: badgeIntegrity,
      crossOrigin: 'anonymous',
      referrerPolicy: 'no-referrer',
    });
    places.current?.append(script);
    return () => script.remove();
  }, [badgeUrl, badgeIntegrity]);
  return (
    <div className={classes.previews} ref={places}>
      {badgeThemes.map((theme) => (
        <figure key={theme} className={classes.preview} data-theme={theme}>
          <figcaption>{captions[theme]}</figcaption>
          <span data-svc-attribution="" data-svc-theme={theme} />
        </figure>
      ))}
    </div>
  );
}
