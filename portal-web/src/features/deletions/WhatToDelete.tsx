import { Anchor, List } from '@mantine/core';
import { Link } from 'react-router';
import { paths } from '../../paths.ts';
import { Panel } from '../../ui/layout/Panel.tsx';

/** What an operator must do after a revocation, and what happens until the deadline. */
export function WhatToDelete() {
  return (
    <Panel title="What you must do after a revocation" lead="Access has already ended. What remains is your copy.">
      <List spacing="xs" maw={640} type="ordered">
        <List.Item>
          <strong>Delete every individual copy</strong> of the resource, or of all resources of the connection: records, caches, search
          indexes, files, logs and backups as they rotate.
        </List.Item>
        <List.Item>
          <strong>Delete what was derived from it</strong> and still reveals something about one order, vehicle or person: notifications,
          exports, model features, a user’s own timeline.
        </List.Item>
        <List.Item>
          <strong>Then acknowledge</strong>, within 7 days, with an <code>Idempotency-Key</code> that stays the same on every retry.
        </List.Item>
      </List>
      <List spacing="xs" maw={640} mt="md" listStyleType="none" withPadding={false}>
        <List.Item>
          <strong>Day 5:</strong> in production, we email you a warning.
        </List.Item>
        <List.Item>
          <strong>Day 7:</strong> the deadline for acknowledging. In production, the integration is suspended if you miss it. The sandbox
          has the same deadline, but no warning and no suspension.
        </List.Item>
        <List.Item>
          <strong>At any time:</strong> you can record the deletion on this page instead, even after the deadline, during a suspension, or
          once the integration is retired.
        </List.Item>
      </List>
      <Anchor component={Link} to={paths.guide('deletions')} mt="md" display="inline-block">
        Read the deletions guide
      </Anchor>
    </Panel>
  );
}
