import { Anchor, List } from '@mantine/core';
import { Link } from 'react-router';
import type { Phase } from '../../../features/integration/integrationQuery.ts';
import { paths } from '../../../paths.ts';
import { deadlineWords } from './deletionWords.ts';
import classes from './Duties.module.css';

export const dutiesTitle = 'What you must do after a revocation';

type DutiesProps = {
  /** How production stands. */
  production: Phase;
  /** Whether the API would take no acknowledgement of anything that is listed. */
  recordOnly: boolean;
};

/** What an operator must do after a revocation, and what happens until the deadline. */
export function Duties({ production, recordOnly }: DutiesProps) {
  return (
    <div className={classes.columns}>
      <List size="sm" spacing="xs" type="ordered">
        <List.Item>
          <strong>Delete every individual copy</strong> of the resource, or of all resources of the connection: records, caches, search
          indexes, files, logs, and backups as they rotate.
        </List.Item>
        <List.Item>
          <strong>Delete what was derived from it</strong> and still reveals something about one order, vehicle or person.
        </List.Item>
        <List.Item>
          {recordOnly ? (
            <>
              <strong>Then record it here</strong> within 7 days of the revocation.
            </>
          ) : (
            <>
              <strong>Then acknowledge</strong> from your back end within 7 days, or record it here.
            </>
          )}
        </List.Item>
      </List>
      <List size="sm" spacing="xs" listStyleType="none" withPadding={false}>
        <List.Item>
          <strong>Day 5:</strong> in production, we email you a warning.
        </List.Item>
        <List.Item>
          <strong>Day 7:</strong> the deadline. {deadlineWords[production]} In the sandbox, nothing happens.
        </List.Item>
        <List.Item>
          <strong>At any time:</strong> you can record it here, even late, and whatever the integration’s status is.
        </List.Item>
        <List.Item>
          <Anchor component={Link} to={paths.guide('deletions')} inherit>
            Read the deletions guide
          </Anchor>
        </List.Item>
      </List>
    </div>
  );
}
