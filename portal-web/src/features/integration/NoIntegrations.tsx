import { Anchor, Button, Group, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import { paths } from '../../paths.ts';
import { OnboardingSteps } from '../overview/OnboardingSteps.tsx';

/** What a newcomer sees in place of a list: the five steps, of which the first is open. `again`: all their integrations are retired. */
export function NoIntegrations({ again }: { again: boolean }) {
  return (
    <>
      <Title order={2} mb="xs">
        {again ? 'All your integrations are retired' : 'You have no integrations yet'}
      </Title>
      <Text mb="md" maw={640}>
        An integration is one of your products that receives shared order data. Each has its own profile, scopes, sandbox, certificates and
        quotas, and is reviewed separately.
      </Text>
      <OnboardingSteps
        steps={[
          {
            title: 'Describe your integration',
            done: false,
            content: (
              <>
                <Text size="sm" maw={640}>
                  Ask for the smallest set of scopes. Nothing becomes public, and no real data is involved.
                </Text>
                <Group gap="md">
                  <Button component={Link} to={paths.newIntegration}>
                    {again ? 'Create an integration' : 'Create your first integration'}
                  </Button>
                  <Anchor component={Link} to={paths.guide('quickstart')} size="sm">
                    Read the quickstart
                  </Anchor>
                </Group>
              </>
            ),
          },
          { title: 'Get a client certificate', done: false },
          { title: 'Wait for your test data', done: false },
          { title: 'Call your sandbox', done: false },
          { title: 'Submit for production review', done: false },
        ]}
      />
    </>
  );
}
