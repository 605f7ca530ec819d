import { Anchor, Button, Group, Text, Title } from '@mantine/core';
import { IconCheck, IconLockAccess, IconServer, IconTrash, IconUserCheck, IconX } from '@tabler/icons-react';
import { Link } from 'react-router';
import firstStepsClasses from './landing.module.css';
import { useSession } from '../../../features/session/SessionContext.ts';
import { useFrame } from '../../../graphql/useFrame.ts';
import { paths } from '../../../paths.ts';
import { PageHeader } from '../../../ui/layout/PageHeader.tsx';
import classes from '../LandingPage.module.css';
import { SampleOrder } from './SampleOrder.tsx';

/** What the programme is and what it gives, how data flows, where to begin, and what is never shared. */
export function Component() {
  return (
    <>
      <div className={classes.hero}>
        <div>
          <PageHeader
            title="Build on order data that people choose to share"
            documentTitle="Order data people choose to share"
            lead={
              <Text size="lg">
                The operator integration programme gives your back end the vehicle orders that people share with you: exactly those, for as
                long as they choose.
              </Text>
            }
          />
          <ul className={classes.promises}>
            {promises.map((promise) => (
              <li key={promise}>
                <IconCheck size={18} stroke={2} aria-hidden />
                <span>{promise}</span>
              </li>
            ))}
          </ul>
          <Begin />
        </div>
        <SampleOrder />
      </div>
      <section className={classes.section} aria-labelledby="flow">
        <Title order={2} id="flow">
          How data flows
        </Title>
        <DataFlow />
      </section>
      <section className={classes.section} aria-labelledby="steps">
        <Title order={2} id="steps">
          How to get started
        </Title>
        <FirstSteps />
      </section>
      <section className={classes.section} aria-labelledby="never">
        <Title order={2} id="never">
          What is never shared
        </Title>
        <NeverShared />
      </section>
    </>
  );
}

/** What a developer wants to know before anything else. */
const promises = [
  'From sign-up to the first synced order in about five minutes',
  'Mutual TLS: no password, and no secret that travels',
  'Your own sandbox with test data, before any review',
] as const;

/** The ways in, of which readers who are signed in need one. */
function Begin() {
  const { viewer } = useSession();
  return (
    <Group gap="sm">
      {viewer?.kind === 'full' ? (
        <Button component={Link} to={paths.integrations}>
          Go to your integrations
        </Button>
      ) : (
        <>
          <Button component={Link} to={paths.register}>
            Register
          </Button>
          <Button component={Link} to={paths.signIn} variant="default">
            Sign in with a passkey
          </Button>
        </>
      )}
      <Anchor component={Link} to={paths.guide('quickstart')} size="sm">
        Read the quickstart
      </Anchor>
    </Group>
  );
}

/** What a newcomer does, in order. */
function FirstSteps() {
  const [{ data }] = useFrame();
  const limits = data?.service.limits;
  const records = limits ? `up to ${limits.corpusOrders} orders and ${limits.corpusVehicles} stock vehicles` : 'orders and stock vehicles';
  const begin = [
    ['Register', 'Enter your email address and create a passkey. There are no passwords.'],
    ['Describe your integration', `Ask for the smallest set of scopes. The sandbox fills with test data: ${records}.`],
    ['Get a certificate', 'Your browser makes the private key, or you do. It is never sent to us.'],
    ['Pull', 'Your first records come with the operator kit, with curl or with your own client.'],
  ] as const;
  return (
    <ol className={firstStepsClasses.flow}>
      {begin.map(([title, text], index) => (
        <li key={title} className={firstStepsClasses.step}>
          <div className={firstStepsClasses.mark} aria-hidden>
            <span className={firstStepsClasses.number}>{index + 1}</span>
          </div>
          <h3>{title}</h3>
          <p>{text}</p>
        </li>
      ))}
    </ol>
  );
}

const never = [
  'The vehicle identification number',
  'The real order number',
  'Account, contact and address data',
  'Financing and payment data',
  'Vehicle-maker identifiers, tokens and credentials',
  'Raw payloads from any provider',
  'Location, calendar and vehicle name',
  'Doors, windows, locks and other live state that could reveal whether somebody is home',
] as const;

/** What is never shared, whatever the scopes, the review or an agreement say. */
function NeverShared() {
  return (
    <>
      <p className={firstStepsClasses.lead}>The service never returns any of this, whatever a user has shared:</p>
      <ul className={firstStepsClasses.never}>
        {never.map((item) => (
          <li key={item}>
            <IconX size={18} stroke={2} aria-hidden />
            <span>{item}</span>
          </li>
        ))}
      </ul>
      <p className={firstStepsClasses.lead}>
        Identifiers are random and specific to one integration: the same order has a different identifier elsewhere. The standard licence is
        non-commercial.
      </p>
    </>
  );
}

const steps = [
  {
    Icon: IconUserCheck,
    title: 'A user decides',
    text: 'They choose individual orders or stock vehicles and give your site a ten-digit link code. Statistics are a separate choice.',
  },
  {
    Icon: IconLockAccess,
    title: 'The service checks',
    text: 'Your back end calls with its client certificate. It sees only what both your reviewed scopes and the user allow.',
  },
  {
    Icon: IconServer,
    title: 'Your back end pulls',
    text: 'It follows a cursor, page by page. Signed webhooks can prompt it to pull, but pulling is always enough.',
  },
  {
    Icon: IconTrash,
    title: 'The user revokes access',
    text: 'Access ends at once. Within 7 days you delete every copy and everything derived from it, and acknowledge the deletion.',
  },
] as const;

/** How data flows, in four steps. */
function DataFlow() {
  return (
    <ol className={firstStepsClasses.flow}>
      {steps.map(({ Icon, title, text }, index) => (
        <li key={title} className={firstStepsClasses.step}>
          <div className={firstStepsClasses.mark}>
            <Icon size={24} stroke={1.75} aria-hidden />
            {index < steps.length - 1 && <span aria-hidden className={firstStepsClasses.arrow} />}
          </div>
          <h3>{title}</h3>
          <p>{text}</p>
        </li>
      ))}
    </ol>
  );
}
