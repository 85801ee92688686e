/** @import { ServiceRow } from '../services.js' */

/** Only a running one, as Debian has no package. @type {ServiceRow} */
export const mongo = {
  label: 'MongoDB',
  scheme: /^mongodb(\+srv)?:/,
  port: 27017,
  variables: ['MONGODB_URL', 'MONGODB_URI', 'MONGO_URL', 'MONGO_URI', 'DATABASE_URL'],
  address: 'mongodb://HOST:PORT/NAME',
  signs: {
    named:
      /^(mongo(db|ose|engine|id)?|@nestjs\/mongoose|@typegoose\/typegoose|@fastify\/mongodb|monk|(flask-)?pymongo|motor|beanie|go\.mongodb\.org\/mongo-driver(\/v2)?|spring-boot-starter-data-mongodb(-reactive)?|quarkus-mongodb[\w-]*|mongodb\/(laravel-)?mongodb|mongodb\.driver)$/i,
    names: /MONGO/,
  },
};
