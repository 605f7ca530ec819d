import type { Act } from './attentionFragment.ts';
import { ElapsedTime } from '../../ui/time/ElapsedTime.tsx';
import { Time } from '../../ui/time/Time.tsx';
import { spanWords } from '../../../../server/domain/shared/text/spanWords.ts';
import { titleWords } from '../../ui/time/momentWords.ts';
import { useNow } from '../../ui/time/useNow.ts';
import { useZone } from '../../ui/time/useZone.ts';

const day = 24 * 60 * 60 * 1000;

/** Where the deadlines are ends of certificates, authorities and revocation lists: what has ended is not overdue. */
const pagesOfEnds: readonly string[] = ['certificates', 'adminCertificates'] satisfies Act['page'][];

type DueTimeProps = { deadline: string | null; since: string | null; act: Act | null };

/**
 * Until when something has to be done, for how long it has been overdue or since when it has ended, or, without a deadline, for how long it
 * has been so.
 */
export function DueTime({ deadline, since, act }: DueTimeProps) {
  const now = useNow();
  const [zone] = useZone();
  if (!deadline) return since && <ElapsedTime since={since} />;
  const left = Date.parse(deadline) - now.getTime();
  if (left > 0) {
    return (
      <>
        due{' '}
        {left < 2 * day ? (
          // A rounded day could be the half of what is left.
          <time dateTime={deadline} title={titleWords(new Date(deadline), zone)}>
            in {spanWords(left)}
          </time>
        ) : (
          <Time value={deadline} />
        )}
      </>
    );
  }
  if (act && pagesOfEnds.includes(act.page)) {
    return (
      <>
        ended <Time value={deadline} />
      </>
    );
  }
  return (
    <>
      overdue <ElapsedTime since={deadline} />
    </>
  );
}
