import 'reflect-metadata';
import { DataSource, EntitySchema } from 'typeorm';

const Article = new EntitySchema({
  name: 'article',
  columns: {
    id: { type: Number, primary: true },
    title: { type: 'text' },
    author: { type: 'text' },
    price: { type: Number },
  },
});

/** @param {{ url: string, connections: number }} options */
export async function open({ url, connections }) {
  const source = new DataSource({ type: 'postgres', url, poolSize: connections, entities: [Article] });
  await source.initialize();
  const articles = source.getRepository(Article);
  return {
    find: (/** @type {number} */ id) => articles.findOneBy({ id }),
    close: () => source.destroy(),
  };
}
