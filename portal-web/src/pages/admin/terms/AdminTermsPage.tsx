import { Alert, Button, Group, List, Modal, SegmentedControl, Stack, Text, Textarea } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { type SubmitEvent, useEffect, useState } from 'react';
import { useMutation, useQuery } from 'urql';
import { OperatorLink } from '../../../features/administration/OperatorLink.tsx';
import { useTabDraft } from '../../../features/drafts/useTabDraft.ts';
import { Markdown } from '../../../features/markdown/Markdown.tsx';
import { withoutTitle } from '../../../features/markdown/withoutTitle.ts';
import { useFreshPasskey } from '../../../features/passkey/useFreshPasskey.ts';
import { useSession } from '../../../features/session/SessionContext.ts';
import classes from './PublishTermsForm.module.css';
import { TermsChanges } from '../../../features/terms/TermsChanges.tsx';
import {
  currentTermsPart,
  currentTermsQuery,
  publishTermsMutation,
  type Terms,
  termsVersionsPart,
  termsVersionsQuery,
} from '../../../features/terms/termsQueries.ts';
import type { DescribedError } from '../../../graphql/describeError.ts';
import { graphql, type ResultOf } from '../../../graphql/graphql.ts';
import { pageLoader } from '../../../graphql/pageLoader.ts';
import { share } from '../../../graphql/questions.ts';
import { useFirstRead } from '../../../graphql/useFirstRead.ts';
import { paths } from '../../../paths.ts';
import { LeaveGuard } from '../../../ui/forms/LeaveGuard.tsx';
import { ShortText } from '../../../ui/forms/ShortText.tsx';
import { PageHeader } from '../../../ui/layout/PageHeader.tsx';
import { Panel } from '../../../ui/layout/Panel.tsx';
import { type Column, DataTable } from '../../../ui/lists/DataTable.tsx';
import { LoadedList } from '../../../ui/lists/LoadedList.tsx';
import { PagedList } from '../../../ui/lists/PagedList.tsx';
import { usePagination } from '../../../ui/lists/usePagination.ts';
import { ErrorMessage } from '../../../ui/states/ErrorMessage.tsx';
import { Loaded } from '../../../ui/states/Loaded.tsx';
import { Time } from '../../../ui/time/Time.tsx';
import { StatusBadge } from '../../../ui/values/StatusBadge.tsx';

const pageQuery = graphql(
  `
    query AdminTermsPage($after: String) {
      ...CurrentTermsPart
      ...TermsVersionsPart
    }
  `,
  [currentTermsPart, termsVersionsPart],
);

export const loader = pageLoader(({ ask, plain }) => {
  if (!plain) return;
  ask(
    pageQuery,
    { after: null },
    share(currentTermsQuery, {}, ({ currentTerms }) => ({ currentTerms })),
    share(termsVersionsQuery, { after: null }, ({ termsVersions }) => ({ termsVersions })),
  );
});

const waits = 'anything is created, submitted or activated';

/** Where administrators publish the Integration Terms. */
export function Component() {
  const { refresh } = useSession();
  const pagination = usePagination();
  const [result, read] = useQuery({ query: currentTermsQuery, requestPolicy: 'cache-and-network' });
  // The list is above the form. They are read together, so that the list does not push the form down.
  const [versions] = useQuery({ query: termsVersionsQuery, variables: { after: pagination.after }, requestPolicy: 'cache-and-network' });
  const ready = useFirstRead(result, versions);
  const [published, setPublished] = useState<number | null>(null);
  const reread = () => read({ requestPolicy: 'network-only' });

  function afterPublishing(version: number) {
    setPublished(version);
    reread();
    refresh();
  }

  return (
    <Loaded whole result={{ ...result, data: ready ? result.data : undefined }} onRetry={reread}>
      {({ currentTerms }) => (
        <>
          <PageHeader
            title="Integration Terms"
            lead={`Version ${currentTerms.version} is current. A new version takes effect for everybody at once: it must be accepted before ${waits}.`}
          />
          <Stack gap="xl">
            {published !== null && (
              <Alert color="green" variant="outline" icon={<IconCircleCheck aria-hidden />} role="status">
                Version {published} is published. Operators are being notified by email.
              </Alert>
            )}
            <TermsVersionPanel key={`versions ${currentTerms.version}`} current={currentTerms.version} />
            <Panel title="Publish a new version" lead="Start from the current text. Nobody else sees it until you publish.">
              <PublishTermsForm key={currentTerms.version} current={currentTerms} onPublished={afterPublishing} />
            </Panel>
          </Stack>
        </>
      )}
    </Loaded>
  );
}

type TermsVersion = ResultOf<typeof termsVersionsQuery>['termsVersions']['edges'][number]['node'];

/** Every published version, for administrators. Versions never change, so they are read again only when there is a new one. */
function TermsVersionPanel({ current }: { current: number }) {
  const pagination = usePagination();
  const [result, read] = useQuery({ query: termsVersionsQuery, variables: { after: pagination.after } });
  const newest = result.data?.termsVersions.edges[0]?.node.version;
  const isOutdated = pagination.after === null && newest !== undefined && newest !== current;
  useEffect(() => {
    if (isOutdated) read({ requestPolicy: 'network-only' });
  }, [isOutdated, read]);
  const columns: readonly Column<TermsVersion>[] = [
    { header: 'Version', cell: ({ version, title }) => `Version ${version}: ${title}`, to: ({ version }) => paths.terms(version) },
    { header: 'Current', cell: ({ version }) => version === current && <StatusBadge tone="good">Current</StatusBadge> },
    { header: 'Published', cell: ({ publishedAt }) => <Time value={publishedAt} /> },
    {
      header: 'Published by',
      breaks: true,
      cell: ({ publishedBy, publishedByName }) =>
        publishedBy ? <OperatorLink id={publishedBy} name={publishedByName} /> : 'The service itself',
    },
  ];
  return (
    <Panel title="Versions" lead="Every version ever published. Anybody can read them.">
      <LoadedList pagination={pagination} result={result} onRetry={() => read({ requestPolicy: 'network-only' })}>
        {({ termsVersions }) => (
          <PagedList label="Versions" pagination={pagination} page={termsVersions} none={null}>
            {(versions) => <DataTable caption="Versions" columns={columns} rows={versions} rowKey={({ version }) => version} />}
          </PagedList>
        )}
      </LoadedList>
    </Panel>
  );
}

const mostCharacters = 40_000;

/** What is written for the version after `version`. */
type NextTerms = { readonly title: string; readonly markdown: string; readonly version: number };

function parseText(stored: unknown, current: number): NextTerms | null {
  const { title, markdown, version } = (stored ?? {}) as Partial<NextTerms>;
  return typeof title === 'string' && typeof markdown === 'string' && version === current ? { title, markdown, version } : null;
}

/** A form for the next version. It starts with the text of the current one, and shows what operators will read and what has changed. */
function PublishTermsForm({ current, onPublished }: { current: Terms; onPublished: (version: number) => void }) {
  // What was written for another version would undo what that one has changed.
  const { kept, keep } = useTabDraft('terms', (stored) => parseText(stored, current.version));
  const [restored] = useState(kept !== null);
  const { title, markdown } = kept ?? current;
  const change = (changes: Partial<NextTerms>) => keep({ title, markdown, version: current.version, ...changes });
  const [view, setView] = useState('write');
  const [asking, setAsking] = useState(false);
  const [refusal, setRefusal] = useState<DescribedError | null>(null);
  const unchanged = title.trim() === current.title && markdown.trim() === current.markdown.trim();

  function ask(event: SubmitEvent) {
    event.preventDefault();
    setRefusal(null);
    setAsking(true);
  }

  function refuse(error: DescribedError) {
    setRefusal(error);
    if (error.fields['title'] || error.fields['markdown']) setView('write');
  }

  return (
    <form onSubmit={ask} noValidate>
      <LeaveGuard unsaved={!unchanged} onLeave={() => keep(null)} />
      <Stack gap="md">
        {refusal && <ErrorMessage message={refusal.message} />}
        <ShortText
          label="Title"
          value={title}
          longest={120}
          error={refusal?.fields['title']}
          onChange={(event) => change({ title: event.currentTarget.value })}
        />
        <SegmentedControl
          aria-label="What is shown"
          w="fit-content"
          value={view}
          onChange={setView}
          data={[
            { value: 'write', label: 'Write' },
            { value: 'preview', label: 'Preview' },
            { value: 'changes', label: 'Changes' },
          ]}
        />
        {view === 'write' && (
          <Textarea
            label="Text, in Markdown"
            description={`Headings, paragraphs, lists, tables and links. ${[...markdown].length.toLocaleString('en')} of ${mostCharacters.toLocaleString('en')} characters.`}
            className={classes.text}
            value={markdown}
            rows={18}
            error={refusal?.fields['markdown']}
            onChange={(event) => change({ markdown: event.currentTarget.value })}
          />
        )}
        {view === 'preview' && (
          <section aria-label="Preview" className={classes.preview}>
            <Markdown source={withoutTitle(markdown)} under={2} />
          </section>
        )}
        {view === 'changes' && (
          <section aria-label={`Changes to version ${current.version}`} className={classes.preview}>
            <TermsChanges before={current.markdown} after={markdown} />
          </section>
        )}
        <Group gap="sm">
          <Button type="submit" disabled={unchanged}>
            Publish version {current.version + 1}…
          </Button>
          {!unchanged && (
            <Button variant="default" onClick={() => keep(null)}>
              Discard changes
            </Button>
          )}
          {(unchanged || restored) && (
            <Text size="sm" c="dimmed">
              {unchanged ? `This is version ${current.version}, unchanged.` : 'Your changes were restored from this browser tab.'}
            </Text>
          )}
        </Group>
      </Stack>
      {asking && (
        <PublishTermsDialog
          title={title.trim()}
          markdown={markdown}
          current={current}
          onClose={() => setAsking(false)}
          onPublished={(version) => {
            keep(null);
            onPublished(version);
          }}
          onRefused={refuse}
        />
      )}
    </form>
  );
}

type PublishTermsDialogProps = {
  title: string;
  markdown: string;
  current: Terms;
  onClose: () => void;
  onPublished: (version: number) => void;
  onRefused: (error: DescribedError) => void;
};

/** Asks for confirmation, and says what changes in the text and what publishing does. */
function PublishTermsDialog({ title, markdown, current, onClose, onPublished, onRefused }: PublishTermsDialogProps) {
  const [, publishTerms] = useMutation(publishTermsMutation);
  const replaces = current.version;
  const confirmed = useFreshPasskey();
  const [busy, setBusy] = useState(false);

  async function publish() {
    setBusy(true);
    const { data, error } = await confirmed(() => publishTerms({ input: { title, markdown, replaces } }));
    setBusy(false);
    onClose();
    if (error) onRefused(error);
    else onPublished(data.publishTerms.version);
  }

  return (
    <Modal
      size="lg"
      opened
      onClose={onClose}
      title={`Publish version ${replaces + 1} of the terms?`}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Stack gap="md">
        <Text fw={650} style={{ overflowWrap: 'anywhere' }}>
          {title}
        </Text>
        <section aria-label={`Changes to version ${replaces}`} className={classes.changes}>
          <TermsChanges before={current.markdown} after={markdown} />
        </section>
        <List spacing="xs">
          <List.Item>It takes effect at once, for everybody. It cannot be withdrawn or edited, only replaced by another version.</List.Item>
          <List.Item>Every operator must accept it before {waits}.</List.Item>
          <List.Item>Every operator is notified by email. Active integrations keep running.</List.Item>
        </List>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button loading={busy} onClick={() => void publish()}>
            Publish version {replaces + 1}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
