import { Button, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Facts } from '../../../ui/values/Facts.tsx';
import { countryName } from '../../../features/integration/countries.ts';
import { ScopeAdvice } from '../../../features/scopes/ScopeAdvice.tsx';
import { ScopeList } from '../../../features/scopes/ScopeList.tsx';
import { webhookModelWords } from '../../../features/integration/webhookModelWords.ts';
import type { DraftValues } from '../../../features/new-integration/draft.ts';
import classes from './steps.module.css';

/** Shows all entries once more before the integration is created. */
export function CheckStep({ values, onEdit }: { values: DraftValues; onEdit: (step: number) => void }) {
  return (
    <div>
      <Text c="dimmed" maw={640} mb="lg">
        This creates the profile and a sandbox client with its quota, and starts generating test data. Nothing becomes public. The slug{' '}
        <code>{values.slug}</code> will be permanent.
      </Text>
      {groupsOf(values).map(({ name, step, facts }) => (
        <section key={name} className={classes.group} aria-label={name}>
          <div className={classes.groupHead}>
            <Title order={3}>{name}</Title>
            <Button variant="subtle" size="compact-sm" onClick={() => onEdit(step)} aria-label={`Change ${name.toLowerCase()}`}>
              Change
            </Button>
          </div>
          <Facts facts={facts} />
          {name === 'Scopes' && <ScopeAdvice scopes={values.requestedScopes} />}
        </section>
      ))}
    </div>
  );
}

type Group = { name: string; step: number; facts: (readonly [string, ReactNode])[] };

function groupsOf(values: DraftValues): Group[] {
  return [
    {
      name: 'About',
      step: 1,
      facts: [
        ['Public name', values.publicName],
        ['Slug', <code key="slug">{values.slug}</code>],
        ['Public description', values.publicDescription],
        ['Purpose', values.purpose],
        ['Legal operator', `${values.legalOperatorName}, ${countryName(values.country)}`],
        ['Support email', values.supportEmail],
      ],
    },
    {
      name: 'Links',
      step: 2,
      facts: [
        ['Website', values.websiteUrl],
        ['Privacy policy', values.privacyPolicyUrl],
        ['Terms of service', values.termsOfServiceUrl],
        ['Order-linking page', values.orderLinkingUrl],
        ['Support or donations', values.donationUrl || 'None'],
      ],
    },
    { name: 'Scopes', step: 3, facts: [['Requested scopes', <ScopeList key="scopes" scopes={values.requestedScopes} />]] },
    {
      name: 'Planning',
      step: 4,
      facts: [
        ['Polling', `Every ${values.pollingCadenceMinutes} minutes`],
        ['Webhooks', webhookModelWords[values.webhookModel]],
      ],
    },
  ];
}
