import { Anchor, List } from '@mantine/core';
import { Link } from 'react-router';
import { paths } from '../../paths.ts';
import { Fold } from '../../ui/layout/Fold.tsx';
import classes from './WhatToDelete.module.css';

/** What an operator must do after a revocation, and what happens until the deadline. Folded for who has done it before. */
export function WhatToDelete({ open }: { open: boolean }) {
  return (
    <Fold summary="What a revocation asks of you" open={open}>
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
            <strong>Then acknowledge</strong> within 7 days from your back end, or record it here.
          </List.Item>
        </List>
        <List size="sm" spacing="xs" listStyleType="none" withPadding={false}>
          <List.Item>
            <strong>Day 5:</strong> in production, we email you a warning.
          </List.Item>
          <List.Item>
            <strong>Day 7:</strong> the deadline. In production the integration is suspended if you miss it; in the sandbox nothing follows.
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
