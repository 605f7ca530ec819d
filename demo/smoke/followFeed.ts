import { z } from 'zod';
import type { MachineApiClient } from './MachineApiClient.ts';
import { expectThat } from '../Surprise.ts';

const resource = z.looseObject({ id: z.string(), type: z.enum(['order', 'vehicle']), revision: z.int().min(1) });
const page = z.object({
  upserts: z.array(resource),
  tombstones: z.array(z.looseObject({ revocation_id: z.string() })),
  next_cursor: z.string().min(1),
  has_more: z.boolean(),
});

/** Follows the feed to its end, at most so many pages; asks for the last page again, which must be 304; reads one resource by its ID. */
export async function followFeed(client: MachineApiClient, most: number): Promise<string> {
  let path = '/sync';
  let [records, pages] = [0, 0];
  let one: z.infer<typeof resource> | undefined;
  for (;;) {
    const { body, etag } = await client.read(path, page);
    pages += 1;
    records += body.upserts.length + body.tombstones.length;
    one = body.upserts.at(-1) ?? one;
    if (body.has_more && pages < most) {
      path = `/sync?updated_since=${encodeURIComponent(body.next_cursor)}`;
      continue;
    }
    await client.expectUnchanged(path, etag);
    const single = one ? await readOne(client, one) : 'nothing is shared';
    return `${records} records in ${pages} ${pages === 1 ? 'page' : 'pages'}${body.has_more ? ', and there are more' : ''}; then 304; ${single}`;
  }
}

/** It may have changed or ended since the sync, but not gone back. */
async function readOne(client: MachineApiClient, { id, type, revision }: z.infer<typeof resource>): Promise<string> {
  const { body } = await client.read(`/${type}s/${id}`, resource);
  expectThat(body.id === id && body.revision >= revision, `${id} is older than the sync has brought it.`);
  return `read ${id}`;
}
