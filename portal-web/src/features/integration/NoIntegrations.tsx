import { Anchor, Button, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import { paths } from '../../paths.ts';
import { FirstSteps } from '../landing/FirstSteps.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';

/** What a newcomer sees in place of a list. */
export function NoIntegrations() {
  return (
    <Panel title="You have no integrations yet">
      <Text mb="md" maw={640}>
        An integration is one of your products that receives shared order data. Each has its own profile, scopes, sandbox, certificates and
        quotas, and is reviewed separately. Create one now: nothing becomes public, and no real data is involved.
      </Text>
      <Button component={Link} to={paths.newIntegration} mb="xl">
        Create your first integration
      </Button>
      <Title order={3} mb="xs">
        What happens next
      </Title>
      <FirstSteps registered />
      <Anchor component={Link} to={paths.guide('quickstart')} mt="md" display="inline-block">
        Read the quickstart
      </Anchor>
    </Panel>
  );
}
