package main

import (
	"context"
	"fmt"
	"log"
	"math/rand/v2"
	"net/http"
	"os"
	"os/signal"
	"syscall"

	"github.com/gin-gonic/gin"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

const rows = 10_000

type world struct {
	ID     int `json:"id"`
	Number int `json:"number"`
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	pool := open(ctx)
	gin.SetMode(gin.ReleaseMode)
	router := gin.New()
	router.GET("/", func(c *gin.Context) { c.String(http.StatusOK, "Hello World!") })
	router.GET("/json", func(c *gin.Context) { c.JSON(http.StatusOK, gin.H{"hello": "world"}) })
	router.GET("/db", func(c *gin.Context) { one(c, pool) })
	server := &http.Server{Addr: os.Getenv("HOST") + ":" + os.Getenv("PORT"), Handler: router}
	go func() {
		<-ctx.Done()
		server.Close()
	}()
	if err := server.ListenAndServe(); err != http.ErrServerClosed {
		log.Fatal(err)
	}
}

// open makes the table where it is lacking. Without an address, every route but /db is served.
func open(ctx context.Context) *pgxpool.Pool {
	url := os.Getenv("DATABASE_URL")
	if url == "" {
		return nil
	}
	pool, err := pgxpool.New(ctx, url)
	if err == nil {
		_, err = pool.Exec(ctx, fmt.Sprintf(`
			DO $$ BEGIN
				PERFORM pg_advisory_xact_lock(1);
				CREATE TABLE IF NOT EXISTS world (id int PRIMARY KEY, number int NOT NULL);
				INSERT INTO world SELECT id, id * 7919 %% %[1]d FROM generate_series(1, %[1]d) AS id ON CONFLICT DO NOTHING;
			END $$`, rows))
	}
	if err != nil {
		log.Fatal(err)
	}
	return pool
}

func one(c *gin.Context, pool *pgxpool.Pool) {
	result, err := pool.Query(c, "SELECT id, number FROM world WHERE id = $1", 1+rand.IntN(rows))
	if err == nil {
		var row world
		if row, err = pgx.CollectExactlyOneRow(result, pgx.RowToStructByName[world]); err == nil {
			c.JSON(http.StatusOK, row)
			return
		}
	}
	log.Print(err)
	c.String(http.StatusInternalServerError, "Internal Server Error")
}
