import { defineEntity, p } from '@mikro-orm/postgresql';
import { Operator } from '../account/Operator.ts';
import { logoFormats } from './image/formats.ts';

const schema = defineEntity({
  name: 'Logo',
  tableName: 'logo',
  properties: {
    id: p.string().primary(),
    integrationId: p.string().fieldName('integration_id'),
    sourceFormat: p.enum(logoFormats),
    sourceSha256: p.blob().fieldName('source_sha256'),
    /** As the picture is seen, after its orientation was applied. */
    width: p.integer(),
    height: p.integer(),
    rendition256: p.blob().fieldName('rendition_256').lazy(),
    rendition512: p.blob().fieldName('rendition_512').lazy(),
    createdAt: p.datetime(3),
    createdBy: p.manyToOne(Operator).mapToPk().fieldName('created_by'),
  },
});

/** A picture that an operator uploaded, as its two renditions: the upload itself is not kept. Never changed, so its addresses are immutable. */
export class Logo extends schema.class {}
schema.setClass(Logo);
