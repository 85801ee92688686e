import Koa from 'koa';

const app = new Koa();
app.use(async (context) => {
  context.body = { path: context.path };
});
app.listen(process.env.PORT || 3000);
