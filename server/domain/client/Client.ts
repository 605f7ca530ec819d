import { defineEntity, p } from '@mikro-orm/postgresql';
import { Integration } from '../integration/Integration.ts';
import { environments } from '../shared/environment.ts';
import type { Scope } from '../shared/scopes.ts';

const schema = defineEntity({
  name: 'Client',
  tableName: 'client',
  properties: {
    /** The short key in tables that are written often. */
    number: p.integer().primary().autoincrement(),
    /** `cli_…`, the public ID. */
    id: p.string(),
    integrationId: p.manyToOne(Integration).mapToPk().fieldName('integration_id'),
    environment: p.enum(environments),
    scopes: p.array<Scope>((text) => text as Scope),
    createdAt: p.datetime(3),
    /** Whether its back end may renew its certificates without a person. */
    renewalByEst: p.boolean().default(false),
  },
});

/** An integration's identity in one environment (docs/specification.md, “Clients”). */
export class Client extends schema.class {}
schema.setClass(Client);
