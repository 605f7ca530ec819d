import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { Address } from '../../ui/values/Address.tsx';
import { Identifier } from '../../ui/values/Identifier.tsx';
import { Facts } from '../../ui/values/Facts.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import { countryName } from './countries.ts';
import type { Integration } from './integrationQuery.ts';
import { ScopeList } from '../scopes/ScopeList.tsx';
import { ScopeWarnings } from '../scopes/ScopeWarnings.tsx';
import { plannedWebhookWords } from './webhookModelWords.ts';

type ProfilePanelProps = {
  profile: Omit<Integration['profile'], 'logo'>;
  /** The identifiers, which never change. They are left out if the page shows them elsewhere. */
  identity?: Pick<Integration, 'id' | 'slug'>;
  lead?: string;
  /** How many webhook endpoints there are. */
  endpoints: number;
  children?: ReactNode;
};

/** The integration's profile, as its operator wrote it. */
export function ProfilePanel({ profile, identity, lead = `Version ${profile.version}.`, endpoints, children }: ProfilePanelProps) {
  return (
    <Panel title="Profile" lead={lead}>
      <Facts
        facts={[
          ...(identity ? identityFacts(identity) : []),
          ['Public description', profile.publicDescription],
          ['Purpose', profile.purpose],
          ['Legal operator', `${profile.legalOperatorName}, ${countryName(profile.country)}`],
          ['Support email', profile.supportEmail],
          ['Website', <Outside key="w" href={profile.websiteUrl} />],
          ['Privacy policy', <Outside key="p" href={profile.privacyPolicyUrl} />],
          ['Terms of service', <Outside key="t" href={profile.termsOfServiceUrl} />],
          ['Order-linking page', <Outside key="o" href={profile.orderLinkingUrl} />],
          ...(profile.donationUrl ? [['Support or donations', <Outside key="d" href={profile.donationUrl} />] as const] : []),
          ['Requested scopes', <ScopeList key="s" scopes={profile.requestedScopes} />],
          ['Planned polling', `Every ${profile.pollingCadenceMinutes} minutes`],
          ['Planned webhooks', plannedWebhookWords(profile.webhookModel, endpoints)],
        ]}
      />
      <ScopeWarnings warnings={profile.scopeWarnings} />
      {children}
    </Panel>
  );
}

function identityFacts({ id, slug }: Pick<Integration, 'id' | 'slug'>): [string, ReactNode][] {
  return [
    ['Slug', <Identifier key="slug" value={slug} label="the slug" />],
    ['Integration ID', <Identifier key="id" value={id} label="the integration ID" />],
  ];
}

function Outside({ href }: { href: string }) {
  return (
    <Anchor href={href} inherit target="_blank" rel="noopener noreferrer">
      <Address value={href} />
    </Anchor>
  );
}
