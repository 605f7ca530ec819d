import { Anchor, Button, Group, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import { DataFlow } from '../../features/landing/DataFlow.tsx';
import { FirstSteps } from '../../features/landing/FirstSteps.tsx';
import { NeverShared } from '../../features/landing/NeverShared.tsx';
import { useSession } from '../../features/session/SessionContext.ts';
import { paths } from '../../paths.ts';
import classes from './LandingPage.module.css';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';

/** What the programme is, how data flows, what is never shared, and where to begin. */
export function Component() {
  const { viewer } = useSession();
  return (
    <>
      <div className={classes.hero}>
        <PageHeader
          title="Build on order data that people choose to share"
          documentTitle="Order data people choose to share"
          lead={
            <Text size="lg">
              The operator integration programme gives your back end the orders that users share with you: exactly those, for as long as
              they choose. Start in a few minutes, in a sandbox with test data.
            </Text>
          }
        />
        <Group gap="sm">
          {viewer?.kind === 'full' ? (
            <Button size="md" component={Link} to={paths.integrations}>
              Go to your integrations
            </Button>
          ) : (
            <>
              <Button size="md" component={Link} to={paths.register}>
                Register
              </Button>
              <Button size="md" component={Link} to={paths.signIn} variant="default">
                Sign in with a passkey
              </Button>
            </>
          )}
        </Group>
      </div>
      <section className={classes.section} aria-labelledby="flow">
        <Title order={2} id="flow">
          How data flows
        </Title>
        <DataFlow />
      </section>
      <section className={classes.section} aria-labelledby="never">
        <Title order={2} id="never">
          What is never shared
        </Title>
        <NeverShared />
      </section>
      <section className={classes.section} aria-labelledby="steps">
        <Title order={2} id="steps">
          How to get started
        </Title>
        <FirstSteps />
        <Anchor component={Link} to={paths.guide('quickstart')} mt="md" display="inline-block">
          Read the quickstart
        </Anchor>
      </section>
    </>
  );
}
