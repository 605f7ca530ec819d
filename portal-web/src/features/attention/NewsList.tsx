import { Anchor, Button, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import { Time } from '../../ui/time/Time.tsx';
import { weekdayWords } from '../../ui/time/timeWords.ts';
import type { NewsItem } from './inboxQueries.ts';
import classes from './NewsList.module.css';

type NewsListProps = { items: readonly NewsItem[]; onRead: (id: string) => void };

/** News by the day on which they came, newest first. */
export function NewsList({ items, onRead }: NewsListProps) {
  return daysOf(items).map(([day, news]) => (
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

function daysOf(items: readonly NewsItem[]): (readonly [day: string, news: NewsItem[]])[] {
  const days = new Map<string, NewsItem[]>();
  for (const item of items) {
    const day = weekdayWords(new Date(item.at));
    days.set(day, [...(days.get(day) ?? []), item]);
  }
  return [...days];
}

function News({ item: { id, at, read, title, text, facts, action }, onRead }: { item: NewsItem; onRead: (id: string) => void }) {
  return (
    <li className={classes.item} data-unread={!read || undefined}>
      <div className={classes.words}>
        <Text fw={read ? 400 : 600}>
          {!read && <span className={classes.hidden}>New: </span>}
          {title}
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
        <Button variant="subtle" size="compact-sm" onClick={() => onRead(id)} aria-label={`Mark as read: ${title}`}>
          Mark as read
        </Button>
      )}
    </li>
  );
}
