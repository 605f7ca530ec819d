import { alphabet } from '../ids.ts';

/** A byte for each character is quicker than five bits. The last one has the last three of 128. */
const character = (place: number) => `get_byte('${alphabet}'::bytea, get_byte(random, ${place}) & ${place === 25 ? 28 : 31})`;
const characters = Array.from({ length: 26 }, (_, place) => place).reduce(
  (bytes, place) => `set_byte(${bytes}, ${place}, ${character(place)})`,
  'random',
);

/** What `newId` makes, for functions that need many, or whose caller is not to choose them. */
export const newId = `
create or replace function new_id(p_prefix text) returns text language plpgsql volatile as $$
declare
  random constant bytea := sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));
begin
  return p_prefix || '_' || convert_from(substr(${characters}, 1, 26), 'UTF8');
end
$$;`;
