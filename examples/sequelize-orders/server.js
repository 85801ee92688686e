import { createServer } from 'node:http';
import { DataTypes, Sequelize } from 'sequelize';

const database = new Sequelize(process.env.DATABASE_URL, { logging: false });
const define = (name, columns) => database.define(name, columns, { timestamps: false });
const Order = define('order', { customer: DataTypes.STRING });
const Line = define('line', { item: DataTypes.STRING, cents: DataTypes.INTEGER });
Order.hasMany(Line);
await database.sync();
// A database of the run's own lives on from start to start.
if ((await Order.count()) === 0) {
  const lines = [1, 2, 3].map((n) => ({ item: `item ${n}`, cents: 100 * n }));
  const orders = Array.from({ length: 40 }, (_, n) => ({ customer: `customer ${n}`, lines }));
  await Order.bulkCreate(orders, { include: Line });
}

const totalOf = ({ id, customer, lines }) => ({
  id,
  customer,
  cents: lines.reduce((sum, { cents }) => sum + cents, 0),
});

/** The newest orders with what they cost. */
async function listOrders() {
  const orders = await Order.findAll({ order: [['id', 'DESC']], include: Line });
  return orders.map(totalOf);
}

async function showOrder(id) {
  return totalOf(await Order.findByPk(id, { include: Line }));
}

createServer(async (request, response) => {
  const [, id] = /^\/orders\/(\d+)$/.exec(request.url) ?? [];
  const answer = id ? await showOrder(id) : await listOrders();
  response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
}).listen(process.env.PORT ?? 3000, process.env.HOST);
