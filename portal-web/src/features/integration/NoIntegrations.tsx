import { Anchor, Button, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import { paths } from '../../paths.ts';
import { FirstSteps } from '../landing/FirstSteps.tsx';
import { Panel } from '../../ui/Panel.tsx';

/** What a newcomer sees in place of a list. */
export function NoIntegrations() {
  return (
    <Panel title="You have no integration yet">
      <Text mb="md" maw={640}>
        An integration is one product of yours that receives shared order data. It has its own profile, scopes, sandbox, certificates and
        quotas, and is reviewed by itself. Make one now: nothing is public, and no real data is involved.
      </Text>
      <Button component={Link} to={paths.newIntegration} mb="xl">
        Create your first integration
      </Button>
      <Title order={3} mb="xs">
        How it goes on
      </Title>
      <FirstSteps registered />
      <Anchor component={Link} to={paths.guide('quickstart')} mt="md" display="inline-block">
        Read the quickstart
      </Anchor>
    </Panel>
  );
}
