import { certificateFacts } from '../../../../server/domain/certificate/certificateFacts.ts';
import { dateWords } from '../../ui/time/timeWords.ts';
import { useNow } from '../../ui/time/useNow.ts';
import { isEnding, endOf } from './certificateEnd.ts';
import type { Certificate } from './certificatesQuery.ts';
import classes from './CertificateDays.module.css';
import { daysInUse, type Stretch } from './daysInUse.ts';
import { useStopped } from './useStopped.ts';

/** The days on which each certificate in use works, on one bar, where both do, and today. Shows nothing before the first one is issued. */
export function CertificateDays({ inUse }: { inUse: readonly Certificate[] }) {
  const now = useNow();
  const stopped = useStopped();
  const issued = inUse.filter(({ status }) => certificateFacts[status].stage === 'working').toReversed();
  if (issued.length === 0) return null;
  const { stretches, overlap, today } = daysInUse(issued, now);
  return (
    <figure className={classes.figure} aria-label="The days on which your certificates work">
      <ul className={classes.list}>
        {issued.map((certificate) => (
          <li key={certificate.id}>
            <span className={classes.name}>{certificate.keyName}</span>
            <span className={classes.bar} role="img" aria-label={lifeWords(certificate)}>
              <span
                className={classes.life}
                data-ending={isEnding(certificate, now) || undefined}
                data-stopped={stopped || undefined}
                style={placed(stretches.get(certificate.id))}
              />
              <span className={classes.past} style={placed({ from: 0, to: today })} />
              {overlap && <span className={classes.overlap} style={placed(overlap)} />}
              <span className={classes.today} style={{ insetInlineStart: `${today}%` }} />
            </span>
            <span className={classes.dates} aria-hidden>
              {dayWords(certificate.issuedAt)} – {dayWords(endOf(certificate))}
            </span>
          </li>
        ))}
      </ul>
      <figcaption className={classes.legend}>
        <span>The vertical line marks today, {dateWords(now)}.</span>
        {overlap && <span>Both work in the striped part.</span>}
      </figcaption>
    </figure>
  );
}

function lifeWords({ keyName, issuedAt, usableUntil, notAfter }: Certificate): string {
  return `${keyName} works from ${dayWords(issuedAt)} to ${dayWords(endOf({ usableUntil, notAfter }))}.`;
}

/** The day in UTC, where there is one. */
function dayWords(at: string | null): string {
  return at === null ? '' : dateWords(new Date(at));
}

function placed(stretch: Stretch = { from: 0, to: 0 }) {
  return { insetInlineStart: `${stretch.from}%`, width: `${stretch.to - stretch.from}%` };
}
