import type { EntityManager } from '@mikro-orm/postgresql';
import type { Role } from '../shared/actor.ts';
import { timeAndIdCursors } from '../shared/lists/cursors.ts';
import { page, type Page, type PageRequest } from '../shared/lists/page.ts';
import { sql } from '../shared/sql.ts';
import type { Mail } from './Mail.ts';
import { newsKinds, type MailKind } from './mailKinds.ts';
import type { MailText } from './mailText.ts';
import { textOfMail } from './textOfMail.ts';
import { namedAs } from './namedAs.ts';

/** Something that somebody was told, by mail or, where they have switched the mail off, only here. */
export type NewsItem = {
  readonly id: string;
  readonly at: Date;
  readonly read: boolean;
  readonly title: string;
  readonly text: string;
  readonly facts: readonly { readonly name: string; readonly value: string }[];
  readonly action: NonNullable<MailText['action']> | null;
  /** The integration that it is about, where its reader owns it and can open it. */
  readonly integration: { readonly slug: string; readonly publicName: string } | null;
  /** What it was made of. */
  readonly of: {
    readonly kind: MailKind;
    readonly details: Mail['details'];
    readonly integrationId: string | null;
    readonly name: string | null;
  };
};

/** Whose news, and whether only those that are not marked as read. `contact` is whom the texts send people to. */
export type NewsAsked = {
  readonly operatorId: string;
  readonly roles: readonly Role[];
  readonly unread: boolean;
  readonly contact: string;
} & PageRequest;

type Row = {
  id: string;
  kind: MailKind;
  details: Mail['details'];
  integrationId: string | null;
  at: Date;
  read: boolean;
  name: string | null;
  slug: string | null;
  owned: boolean;
};

/** By mail_operator, or mail_unread. `$1` whose, `$2` kinds, `$3` rows wanted, `$4` and `$5` the last item's place. */
const newsSql = (unread: boolean, resumed: boolean) => `
select m.id, m.kind, m.details, m.integration_id as "integrationId", m.created_at as at, m.read_at is not null as read, v.public_name as name, i.slug,
       coalesce(i.operator_id = $1, false) as owned
  from mail m left join integration i on i.id = m.integration_id left ${namedAs('m.details')}
 where m.operator_id = $1 and m.kind = any ($2::text[]) ${unread ? 'and m.read_at is null' : ''}
       ${resumed ? 'and (m.created_at, m.id) < ($4::timestamptz, $5::text)' : ''}
 order by m.created_at desc, m.id desc limit $3`;

/** A page of somebody’s news, newest first. They are kept as long as mails are. Errors: invalid_request. */
export function news(em: EntityManager, { operatorId, roles, unread, contact, ...request }: NewsAsked): Promise<Page<NewsItem>> {
  return page(request, {
    cursors,
    read: async (count, after) => {
      const values = [operatorId, newsKinds(roles), count, ...(after ?? [])];
      return (await sql<Row>(em, newsSql(unread, after !== null), values)).map((row) => itemOf(row, contact));
    },
  });
}

const cursors = timeAndIdCursors<NewsItem>('mail', ({ at }) => at);

function itemOf({ id, kind, details, integrationId, at, read, name, slug, owned }: Row, contact: string): NewsItem {
  const integration = name === null || slug === null ? null : { name, slug };
  const { subject, paragraphs, facts = [], action = null } = textOfMail(kind, { details, token: null, code: null, contact, integration });
  return {
    id,
    at,
    read,
    title: subject,
    text: paragraphs[0] ?? '',
    facts: facts.map(([factName, value]) => ({ name: factName, value })),
    action,
    integration: integration && owned ? { slug: integration.slug, publicName: integration.name } : null,
    of: { kind, details, integrationId, name },
  };
}

/** What the newest of somebody’s news that are not marked as read were made of, at most so many. By mail_unread. */
export function unreadNews(
  em: EntityManager,
  { operatorId, roles, most }: { operatorId: string; roles: readonly Role[]; most: number },
): Promise<Pick<NewsItem['of'], 'kind' | 'details' | 'integrationId'>[]> {
  const statement = `select kind, details, integration_id as "integrationId" from mail
 where operator_id = $1 and kind = any ($2::text[]) and read_at is null order by created_at desc, id desc limit $3`;
  return sql(em, statement, [operatorId, newsKinds(roles), most]);
}
