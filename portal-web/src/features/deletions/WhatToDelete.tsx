import { Anchor, List } from '@mantine/core';
import { Link } from 'react-router';
import { paths } from '../../paths.ts';
import { Fold } from '../../ui/layout/Fold.tsx';
import type { Phase } from '../integration/integrationQuery.ts';
import { refusalOfAcknowledgements } from './refusalOfAcknowledgements.ts';
import classes from './WhatToDelete.module.css';

type WhatToDeleteProps = { open: boolean; phase: Phase };

/** What an operator must do after a revocation, and what happens until the deadline. Folded for who has done it before. */
export function WhatToDelete({ open, phase }: WhatToDeleteProps) {
  const refused = refusalOfAcknowledgements(phase) !== null;
  return (
    <Fold summary="What you must do after a revocation" open={open}>
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
            {refused ? (
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
            <strong>Day 7:</strong> the deadline. If you miss it in production, an active integration is suspended. In the sandbox, nothing
            happens.
          </List.Item>
          <List.Item>
            <strong>At any time:</strong> you can record it here, even late, during a suspension, or after retirement.
          </List.Item>
          <List.Item>
            <Anchor component={Link} to={paths.guide('deletions')} inherit>
              Read the deletions guide
            </Anchor>
          </List.Item>
        </List>
      </div>
    </Fold>
  );
}
