import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, type SubmitEvent, useEffect, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { useMutation, useQuery } from 'urql';
import type { integrationFacts } from '../../../../../server/domain/integration/integrationFacts.ts';
import { minorFieldWords } from '../../../../../server/domain/integration/profile/profileFields.ts';
import { webhookEndpointFacts } from '../../../../../server/domain/outbox/webhookEndpointFacts.ts';
import { AgreementTable } from '../../../features/business-model/AgreementTable.tsx';
import {
  businessModelPart,
  businessModelQuery,
  reportBusinessModelChangeMutation,
} from '../../../features/business-model/businessModelQuery.ts';
import { ReportTable } from '../../../features/business-model/ReportTable.tsx';
import { type TabText, useTabDraft, useTabText } from '../../../features/drafts/useTabDraft.ts';
import { isOver } from '../../../features/integration/integrationQuery.ts';
import { useReadOnly } from '../../../features/integration/ownerView.ts';
import { ProfilePanel } from '../../../features/integration/ProfilePanel.tsx';
import { tabLoader } from '../../../features/integration/tabLoader.ts';
import { type Service, useIntegration } from '../../../features/integration/useIntegration.ts';
import { KitPanels } from './KitPanels.tsx';
import { LogoPanel } from './LogoPanel.tsx';
import { ChangeList } from '../../../features/profile/ChangeList.tsx';
import { ProfileForm, stillPossible } from './ProfileForm.tsx';
import {
  type ProfileFacts,
  profilePart,
  profileQuery,
  type RevisedProfile,
  versionPage,
  versionsQuery,
} from '../../../features/profile/profileQueries.ts';
import { parseDraft, valuesOf } from '../../../features/profile/profileValues.ts';
import { RetirePanel } from './RetirePanel.tsx';
import classes from './VersionList.module.css';
import { type DescribedError, describeError } from '../../../graphql/describeError.ts';
import { graphql } from '../../../graphql/graphql.ts';
import { share } from '../../../graphql/questions.ts';
import { paths } from '../../../paths.ts';
import { LongText } from '../../../ui/forms/LongText.tsx';
import { Columns } from '../../../ui/layout/Columns.tsx';
import { Fold } from '../../../ui/layout/Fold.tsx';
import { Panel } from '../../../ui/layout/Panel.tsx';
import { LoadedList } from '../../../ui/lists/LoadedList.tsx';
import { PagedList } from '../../../ui/lists/PagedList.tsx';
import { usePagination } from '../../../ui/lists/usePagination.ts';
import { ErrorMessage } from '../../../ui/states/ErrorMessage.tsx';
import { Loaded } from '../../../ui/states/Loaded.tsx';
import { Notice } from '../../../ui/states/Notice.tsx';
import { Time } from '../../../ui/time/Time.tsx';
import { ContactLink } from '../../../ui/values/ContactLink.tsx';
import { StatusBadge } from '../../../ui/values/StatusBadge.tsx';

const pageQuery = graphql(
  `
    query ProfilePage($slug: String!) {
      ...ProfilePart
      ...BusinessModelPart
    }
  `,
  [profilePart, businessModelPart],
);

export const loader = tabLoader(({ ask, slug }) =>
  ask(
    pageQuery,
    { slug },
    share(profileQuery, { slug }, ({ integration }) => ({ integration })),
    share(businessModelQuery, { slug }, ({ integration }) => ({ integration })),
  ),
);

/** The integration's profile: the current version, and a form to change it. What is written once and read later is folded below it. */
export function Component() {
  const { integration, service, reread } = useIntegration();
  const { slug, status, profile } = integration;
  const readOnly = useReadOnly();
  const [result, read] = useQuery({ query: profileQuery, variables: { slug } });
  const [editing, setEditing] = useState(false);
  const report = useTabText(`business-model.${integration.id}`);
  const [reportBegun] = useState(report[0] !== '');
  const draft = useTabDraft(`profile.${integration.id}`, (kept) => parseDraft(kept, valuesOf(profile)));
  const readAgain = () => {
    reread();
    read({ requestPolicy: 'network-only' });
  };

  function close() {
    draft.keep(null);
    setEditing(false);
  }
  function saved() {
    close();
    readAgain();
  }

  return (
    <Loaded result={result} onRetry={() => read({ requestPolicy: 'network-only' })}>
      {({ integration: facts }) => (
        <Stack gap="lg">
          {editing && mayEdit(facts) ? (
            // A new logo is a new version, so saving the version that is being edited would be refused.
            <ProfileForm
              {...{ integration, service }}
              fields={facts.profileFields}
              draft={{ ...draft, kept: draft.kept && stillPossible(draft.kept, facts.profileFields) }}
              onClose={close}
              onSaved={saved}
              onStale={readAgain}
            />
          ) : (
            <>
              {draft.kept && stillPossible(draft.kept, facts.profileFields) && !readOnly && (
                <KeptDraft onContinue={() => setEditing(true)} onDiscard={close} />
              )}
              <WithLogo logo={readOnly ? null : <LogoPanel integration={integration} onChange={readAgain} />}>
                <ProfilePanel
                  // Advice about scopes that can never be used again helps nobody.
                  profile={isOver(integration) ? { ...profile, scopeWarnings: [] } : profile}
                  identity={integration}
                  endpoints={facts.webhookEndpoints.filter(isPresent).length}
                  lead={`Version ${profile.version}. ${freedomWords[status]}`}
                >
                  {!readOnly && (
                    <Group gap="sm" mt="md">
                      {mayEdit(facts) && <Button onClick={() => setEditing(true)}>Edit profile</Button>}
                      <Button variant="default" component={Link} to={`${paths.newIntegration}?${new URLSearchParams({ from: slug })}`}>
                        Duplicate as a new integration
                      </Button>
                    </Group>
                  )}
                </ProfilePanel>
              </WithLogo>
            </>
          )}
          <div>
            <Versions slug={slug} current={profile.version} reviewed={facts.reviewedProfileVersion ?? null} />
            <Kit>
              <KitPanels profile={profile} service={service} />
            </Kit>
            <Fold summary="Business model: agreements and reports" open={reportBegun}>
              <BusinessModelPanel report={report} slug={slug} retired={isOver(integration)} contact={service.supportContact} />
            </Fold>
            {!readOnly && !isOver(integration) && (
              <Fold summary="Retire this integration for good">
                <RetirePanel
                  integration={integration}
                  mayRetire={facts.availableActions.includes('retireIntegration')}
                  onRetired={readAgain}
                />
              </Fold>
            )}
          </div>
        </Stack>
      )}
    </Loaded>
  );
}

/** Offers what was typed before the session ended or the page was reloaded. */
function KeptDraft({ onContinue, onDiscard }: { onContinue: () => void; onDiscard: () => void }) {
  return (
    <Notice
      title="You have unsaved changes"
      words="What you typed in this profile is still in this browser tab. Nobody else sees it until you save it."
      actions={
        <>
          <Button size="xs" onClick={onContinue}>
            Continue editing
          </Button>
          <Button size="xs" variant="default" onClick={onDiscard}>
            Discard
          </Button>
        </>
      }
    />
  );
}

function WithLogo({ logo, children }: { logo: ReactNode; children: ReactNode }) {
  return logo === null ? (
    children
  ) : (
    <Columns side={logo} still>
      {children}
    </Columns>
  );
}

/** Every version, read once they are unfolded. An address that leads to a page of them unfolds them. */
function Versions({ current, ...rest }: { slug: string; current: number; reviewed: number | null }) {
  const pagination = usePagination('versions');
  const [open, setOpen] = useState(pagination.after !== null);
  return (
    <Fold summary={`Version history (${current})`} open={open} onOpen={() => setOpen(true)}>
      {open && <VersionList key={current} current={current} {...rest} />}
    </Fold>
  );
}

/** What goes onto the operator's own pages. An address that ends in #kit unfolds it. */
function Kit({ children }: { children: ReactNode }) {
  const [open] = useState(useLocation().hash === '#kit');
  return (
    <Fold summary="For your own pages: credit, badge and linking page" open={open}>
      {children}
    </Fold>
  );
}

const isPresent = ({ status }: ProfileFacts['integration']['webhookEndpoints'][number]) =>
  webhookEndpointFacts[status].receives !== 'never';

function mayEdit({ profileFields }: ProfileFacts['integration']): boolean {
  return profileFields.some(({ revisable }) => revisable);
}

type BusinessModelPanelProps = { report: TabText; slug: string; retired: boolean; contact: Service['supportContact'] };

/** The business model as the owner sees it: the agreements, the reported changes, and a form for reporting a change before it happens. */
function BusinessModelPanel({ report, slug, retired, contact }: BusinessModelPanelProps) {
  const [result, read] = useQuery({ query: businessModelQuery, variables: { slug }, requestPolicy: 'cache-and-network' });
  const reread = () => read({ requestPolicy: 'network-only' });
  const reports = !useReadOnly() && !retired;
  return (
    <Panel
      title="Business model"
      lead="The standard licence is non-commercial only. Advertising, sponsorships, affiliate revenue, subscriptions, paid access, lead generation, data licensing and resale require a written agreement with the service, whatever else has been approved."
    >
      <Loaded shape="text" result={result} onRetry={reread}>
        {({ integration: { id, businessModelReports, commercialAgreements } }) => (
          <Stack gap="lg">
            {reports && (
              <Text>
                Report a change below before you make it. For a written agreement, contact <ContactLink contact={contact} />.
              </Text>
            )}
            <div>
              <Title order={3} mb="xs">
                Agreements
              </Title>
              <AgreementTable agreements={commercialAgreements} />
            </div>
            <div>
              <Title order={3} mb="xs">
                Reported changes
              </Title>
              <ReportTable reports={businessModelReports} />
            </div>
            {reports && <ReportForm text={report} integrationId={id} onReported={reread} />}
          </Stack>
        )}
      </Loaded>
    </Panel>
  );
}

function ReportForm({ text, integrationId, onReported }: { text: TabText; integrationId: string; onReported: () => void }) {
  const [{ fetching }, reportBusinessModelChange] = useMutation(reportBusinessModelChangeMutation);
  const [description, setDescription] = text;
  const [refusal, setRefusal] = useState<DescribedError | null>(null);
  const [reported, setReported] = useState(false);

  async function report(event: SubmitEvent) {
    event.preventDefault();
    setRefusal(null);
    setReported(false);
    const { error } = await reportBusinessModelChange({ input: { integrationId, description } });
    if (error) return setRefusal(describeError(error));
    setDescription('');
    setReported(true);
    onReported();
  }

  return (
    <form onSubmit={(event) => void report(event)} noValidate>
      <Stack gap="sm">
        {refusal && !refusal.fields['description'] && <ErrorMessage message={refusal.message} />}
        <LongText
          label="What will change?"
          description="Describe the change, when it takes effect, and who pays whom for what. Reviewers and administrators will read this, and you cannot edit it later. A report is not a permission."
          value={description}
          longest={2_000}
          minRows={3}
          maxRows={12}
          error={refusal?.fields['description']}
          onChange={(event) => setDescription(event.currentTarget.value)}
        />
        <div>
          <Button type="submit" variant="default" loading={fetching}>
            Report change
          </Button>
        </div>
        <Text size="sm" role="status">
          {reported && 'Reported. Wait for a written agreement before you make the change.'}
        </Text>
      </Stack>
    </form>
  );
}

const afterApproval = `Users and reviewers rely on what was approved. You can still change ${minorFieldWords}; reviewers see these changes. For anything else, duplicate the profile as a new integration, with its own sandbox, logo and review; users then link it again.`;

/** What the operator can change in the profile, in words, for each status. */
const freedomWords = {
  sandbox: 'You can change everything except the slug. Each change makes a new version.',
  rejected: 'You can change everything except the slug. Address the reviewers’ notes, then submit again.',
  submitted: 'This version is under review and cannot be changed until the reviewers decide.',
  approved: afterApproval,
  active: afterApproval,
  suspended: afterApproval,
  retired: 'This integration is retired, so its profile cannot be changed.',
  unknown: 'Another release of the service gave this integration its status, so this one cannot change its profile.',
} as const satisfies Record<keyof typeof integrationFacts, string>;

type VersionListProps = { slug: string; current: number; reviewed: number | null };

/** A page of the profile's versions, newest first, each with what it changed. Versions never change, so they are read again only when there is a new one. */
function VersionList({ slug, current, reviewed }: VersionListProps) {
  const pagination = usePagination('versions');
  const [result, read] = useQuery({ query: versionsQuery, variables: versionPage(slug, pagination.after) });
  const newest = result.data?.profileVersions.edges[0]?.node.profile.version;
  const isOutdated = pagination.after === null && newest !== undefined && newest !== current;
  useEffect(() => {
    if (isOutdated) read({ requestPolicy: 'network-only' });
  }, [isOutdated, read]);
  return (
    <Panel
      title="Versions"
      lead="Each version is a snapshot and never changes. Users consent to the version that is current at the time; a later version never widens their consent."
    >
      <LoadedList pagination={pagination} result={result} onRetry={() => read({ requestPolicy: 'network-only' })}>
        {({ profileVersions }) => (
          <PagedList label="Versions" pagination={pagination} page={profileVersions} none={null}>
            {(versions) => (
              <Stack gap="lg">
                {versions.map((node) => (
                  <Version key={node.profile.version} {...{ node, current, reviewed }} />
                ))}
              </Stack>
            )}
          </PagedList>
        )}
      </LoadedList>
    </Panel>
  );
}

function Version({ node: { profile, changes }, current, reviewed }: { node: RevisedProfile; current: number; reviewed: number | null }) {
  const { version, createdAt } = profile;
  return (
    <article aria-label={`Version ${version}`}>
      <div className={classes.head}>
        <Title order={3}>Version {version}</Title>
        {version === current && <StatusBadge tone="good">Current</StatusBadge>}
        {version === reviewed && <StatusBadge tone="good">Reviewed</StatusBadge>}
        <Text size="sm" c="dimmed">
          <Time value={createdAt} />
        </Text>
      </div>
      {changes.length > 0 ? <ChangeList changes={changes} /> : <Text size="sm">The first version.</Text>}
    </article>
  );
}
