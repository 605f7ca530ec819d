import { ElapsedTime } from '../../ui/time/ElapsedTime.tsx';
import { Time } from '../../ui/time/Time.tsx';
import { useNow } from '../../ui/time/useNow.ts';

type DueTimeProps = { deadline: string | null; since: string | null };

/** Until when something has to be done, for how long it has been overdue, or, without a deadline, for how long it has been so. */
export function DueTime({ deadline, since }: DueTimeProps) {
  const now = useNow();
  if (!deadline) return since && <ElapsedTime since={since} />;
  if (Date.parse(deadline) > now.getTime()) {
    return (
      <>
        due <Time value={deadline} />
      </>
    );
  }
  return (
    <>
      overdue <ElapsedTime since={deadline} />
    </>
  );
}
