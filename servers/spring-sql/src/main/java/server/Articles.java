package server;

import org.springframework.data.jpa.repository.JpaRepository;

interface Articles extends JpaRepository<Article, Integer> {}
