import { Button, Text } from '@mantine/core';
import classes from './sitting.module.css';

type DecisionBarProps = {
  judged: { met: number; notMet: number; total: number };
  saved: boolean;
  onApprove: () => void;
  onReject: () => void;
};

/** How far the review is, and the two decisions. */
export function DecisionBar({ judged: { met, notMet, total }, saved, onApprove, onReject }: DecisionBarProps) {
  return (
    <div className={classes.bar} role="group" aria-label="Decision">
      <Text size="sm" role="status" className={classes.progress}>
        <strong>
          {met + notMet} of {total}
        </strong>
        {notMet > 0 && `, ${notMet} not met`}
        <span className={classes.saved}>{saved ? 'Saved' : 'Saving…'}</span>
      </Text>
      <Button variant="default" size="xs" onClick={onReject}>
        Reject
      </Button>
      <Button size="xs" disabled={met < total} onClick={onApprove}>
        Approve
      </Button>
    </div>
  );
}
