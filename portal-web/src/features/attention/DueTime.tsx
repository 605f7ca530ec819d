import type { Act, AttentionItem } from './attentionFragment.ts';
import classes from './DueTime.module.css';
import { ElapsedTime } from '../../ui/time/ElapsedTime.tsx';
import { Time } from '../../ui/time/Time.tsx';
import { spanWords } from '../../../../server/domain/shared/text/spanWords.ts';
import { useNow } from '../../ui/time/useNow.ts';

/** Where the deadlines are ends of certificates, authorities and revocation lists: what has ended is not overdue. */
const pagesOfEnds: readonly string[] = ['certificates', 'adminCertificates'] satisfies Act['page'][];

/** Their titles say already that deletions are due or overdue. */
const saysSo = 'deletions' satisfies Act['page'];

/** `act`: null where nothing says yet that it is due. */
type DueTimeProps = Pick<AttentionItem, 'timeForm' | 'deadline' | 'since'> & { act: Act | null };

/**
 * Until when something has to be done, for how long it has been overdue or since when it has ended, or, without a deadline, for how long it
 * has been so, or when it happened.
 */
export function DueTime({ timeForm, deadline, since, act }: DueTimeProps) {
  const now = useNow();
  if (!deadline) return since && (timeForm === 'event' ? <Time value={since} /> : <ElapsedTime since={since} />);
  const left = Date.parse(deadline) - now.getTime();
  const at = <Time value={deadline} form="deadline" />;
  if (left > 0) {
    if (timeForm === 'inTitle')
      return (
        <span className={classes.exact} data-alone>
          on {at}
        </span>
      );
    return (
      <>
        <span>
          {act?.page !== saysSo && 'due '}
          {timeForm === 'firstDeadline' && 'first '}in {spanWords(left)}
        </span>{' '}
        <span className={classes.exact}>({at})</span>
      </>
    );
  }
  if (act && pagesOfEnds.includes(act.page)) {
    return (
      <>
        <span>
          ended <Time value={deadline} />
        </span>{' '}
        <span className={classes.exact}>({at})</span>
      </>
    );
  }
  return (
    <>
      <span>
        {act?.page !== saysSo && 'overdue '}
        <ElapsedTime since={deadline} />
      </span>{' '}
      <span className={classes.exact}>(due {at})</span>
    </>
  );
}
