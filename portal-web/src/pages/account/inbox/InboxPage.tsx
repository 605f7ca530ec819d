import { Anchor, Button, Group, SegmentedControl, Stack, Text, Title } from '@mantine/core';
import type { CombinedError } from '@urql/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { useMutation, useQuery } from 'urql';
import { inboxQuery, markAllNewsReadMutation, markNewsReadMutation, type NewsItem } from './inboxQueries.ts';
import { NeedsYou } from '../../../features/attention/NeedsYou.tsx';
import classes from './inbox.module.css';
import { describeError } from '../../../graphql/describeError.ts';
import { integrationPaths } from '../../../paths.ts';
import { PageHeader } from '../../../ui/layout/PageHeader.tsx';
import { LoadedList } from '../../../ui/lists/LoadedList.tsx';
import { PagedList } from '../../../ui/lists/PagedList.tsx';
import { usePagination } from '../../../ui/lists/usePagination.ts';
import { useUrlFilters } from '../../../ui/lists/useUrlFilters.ts';
import { EmptyState } from '../../../ui/states/EmptyState.tsx';
import { ErrorMessage } from '../../../ui/states/ErrorMessage.tsx';
import type { MomentWords } from '../../../ui/time/momentWords.ts';
import { Time } from '../../../ui/time/Time.tsx';
import { useMomentWords } from '../../../ui/time/useZone.ts';

const filters = [
  { label: 'All', value: '' },
  { label: 'Unread', value: 'unread' },
];

/** What waits for the reader, and what is new. */
export function Component() {
  const pagination = usePagination();
  const [{ news: filter }, setFilter] = useUrlFilters(['news']);
  const [result, read] = useQuery({
    query: inboxQuery,
    variables: { unread: filter === 'unread', first: 30, after: pagination.after },
    requestPolicy: 'cache-and-network',
  });
  const reread = () => read({ requestPolicy: 'network-only' });
  const { markOne, markAll, failure } = useMarks(reread);
  return (
    <LoadedList pagination={pagination} result={result} onRetry={reread}>
      {({ viewer, news }) => (
        <>
          <PageHeader title="Inbox" />
          <Stack gap="lg">
            <section aria-labelledby="needs-you">
              <Title order={2} id="needs-you" mb="xs">
                Needs your attention
              </Title>
              {viewer && viewer.attention.length > 0 ? (
                <>
                  <NeedsYou items={viewer.attention} full />
                  <Unlisted listed={viewer.attention.length} count={viewer.attentionCount} />
                </>
              ) : (
                <EmptyState kind="allClear" title="Nothing needs your attention.">
                  Emails go to {viewer?.email}.
                </EmptyState>
              )}
            </section>
            <section aria-labelledby="news">
              <Group justify="space-between" gap="sm">
                <Title order={2} id="news">
                  News
                </Title>
                <Group gap="sm">
                  <SegmentedControl
                    aria-label="Which news"
                    size="xs"
                    data={filters}
                    value={filter}
                    onChange={(value) => setFilter({ news: value })}
                  />
                  {(viewer?.unreadNews ?? 0) > 0 && (
                    <Button variant="default" size="xs" onClick={() => markAll(news.edges.map(({ node }) => node))}>
                      Mark all as read
                    </Button>
                  )}
                </Group>
              </Group>
              {failure !== null && <ErrorMessage message={failure} />}
              <PagedList
                label="News"
                pagination={pagination}
                page={news}
                none={
                  filter === 'unread' ? (
                    <EmptyState kind="allClear" title="No unread news." />
                  ) : (
                    <EmptyState kind="nothingYet" title="No news yet.">
                      Everything that we email you is also here, for 90 days.
                    </EmptyState>
                  )
                }
              >
                {(items) => <NewsList items={items} onRead={markOne} />}
              </PagedList>
            </section>
          </Stack>
        </>
      )}
    </LoadedList>
  );
}

/** The service lists what is most pressing, and counts the rest. */
function Unlisted({ listed, count }: { listed: number; count: number }) {
  if (count <= listed) return null;
  return (
    <Text size="sm" c="dimmed" mt="xs">
      These are the {listed.toLocaleString('en')} most pressing of {count.toLocaleString('en')}. The others follow as you deal with them.
    </Text>
  );
}

/** Marks news as read, and reads them again. All means: up to the newest that the reader sees, so that what has come since stays new. */
function useMarks(reread: () => void) {
  const [, mark] = useMutation(markNewsReadMutation);
  const [, markSeen] = useMutation(markAllNewsReadMutation);
  const [failure, setFailure] = useState<string | null>(null);
  const settle = ({ error }: { error?: CombinedError | undefined }) => {
    setFailure(error ? describeError(error).message : null);
    if (!error) reread();
  };
  return {
    failure,
    markOne: (id: string) => void mark({ input: { id } }).then(settle),
    markAll: (items: readonly NewsItem[]) => {
      const until = items[0]?.at;
      if (until) void markSeen({ input: { until } }).then(settle);
    },
  };
}

type NewsListProps = { items: readonly NewsItem[]; onRead: (id: string) => void };

/** News by the day on which they came, newest first. */
function NewsList({ items, onRead }: NewsListProps) {
  const { weekday } = useMomentWords();
  return daysOf(items, weekday).map(([day, news]) => (
    <section key={day} aria-label={day} className={classes.day}>
      <Title order={3}>{day}</Title>
      <ul className={classes.list}>
        {news.map((item) => (
          <News key={item.id} item={item} onRead={onRead} />
        ))}
      </ul>
    </section>
  ));
}

function daysOf(items: readonly NewsItem[], weekday: MomentWords['weekday']): (readonly [day: string, news: NewsItem[]])[] {
  const days = new Map<string, NewsItem[]>();
  for (const item of items) {
    const day = weekday(new Date(item.at));
    days.set(day, [...(days.get(day) ?? []), item]);
  }
  return [...days];
}

/** A title ends with the name of the integration that it is about, which leads there. */
function NewsTitle({ item: { id, title, integration }, onRead }: { item: NewsItem; onRead: (id: string) => void }) {
  if (!integration || !title.endsWith(integration.publicName)) return title;
  return (
    <>
      {title.slice(0, -integration.publicName.length)}
      <Anchor component={Link} to={integrationPaths(integration.slug).overview()} inherit onClick={() => onRead(id)}>
        {integration.publicName}
      </Anchor>
    </>
  );
}

function News({ item, onRead }: { item: NewsItem; onRead: (id: string) => void }) {
  const { id, at, read, settled, title, text, facts, action } = item;
  return (
    <li className={classes.item} data-unread={!read || undefined} data-settled={settled || undefined}>
      <div className={classes.words}>
        <Text size="sm" fw={read || settled ? 400 : 650} c={settled ? 'dimmed' : undefined}>
          {!read && <span className={classes.hidden}>New: </span>}
          <NewsTitle {...{ item, onRead }} />
        </Text>
        <Text size="sm" c="dimmed" maw={720}>
          {text}
          {facts.map(({ name, value }) => ` ${name}: ${value}.`.replace('..', '.')).join('')}
        </Text>
        {action && (
          <Anchor component={Link} to={action.path} size="sm" onClick={() => onRead(id)} aria-label={`${action.label}: ${title}`}>
            {action.label}
          </Anchor>
        )}
      </div>
      <Text size="sm" c="dimmed" component="span" className={classes.when}>
        <Time value={at} />
      </Text>
      {!read && (
        <Button variant="subtle" size="xs" onClick={() => onRead(id)} aria-label={`Mark as read: ${title}`}>
          Mark as read
        </Button>
      )}
    </li>
  );
}
