import { createServer } from 'node:http';
import { createSchema, createYoga } from 'graphql-yoga';

const typeDefs = /* GraphQL */ `
  type Query {
    book(id: ID!): String
    motto: String!
  }
`;
const resolvers = { Query: { book: () => 'Dubliners', motto: () => 'measure' } };
const yoga = createYoga({ schema: createSchema({ typeDefs, resolvers }), logging: false });

createServer(yoga).listen(process.env.PORT || 4000);
