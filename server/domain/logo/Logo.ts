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
    /** As the image is seen, with its orientation applied. */
    width: p.integer(),
    height: p.integer(),
    rendition256: p.blob().fieldName('rendition_256').lazy(),
    rendition512: p.blob().fieldName('rendition_512').lazy(),
    createdAt: p.datetime(3),
    createdBy: p.manyToOne(Operator).mapToPk().fieldName('created_by'),
  },
});

/**
 * An image that an operator uploaded, kept as two renditions; the upload itself is not kept. It never changes, nor does what its addresses
 * serve.
 */
export class Logo extends schema.class {}
schema.setClass(Logo);
