package example;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class MissionsTest {
  static Engagement engagement;

  @BeforeAll
  static void open() throws Exception {
    engagement = new Engagement(Path.of("../definitions"));
  }

  @AfterAll
  static void close() throws Exception {
    engagement.close();
  }

  @Test
  void twoCoffeesCompleteTheMission() throws Exception {
    assertEquals("InProgress", engagement.status("ann", "two_coffees"));
    engagement.send("ann", "order_placed");
    engagement.send("ann", "order_placed");
    engagement.settled();
    assertEquals("Completed", engagement.status("ann", "two_coffees"));
    assertEquals("ann", engagement.webhook("mission.completed", "ann").get("playerExternalId").getAsString());
  }

  @Test
  void theCoffeeOfTheDayCanBeEarnedAgainTomorrow() throws Exception {
    engagement.status("bob", "coffee_of_the_day");
    engagement.send("bob", "order_placed");
    engagement.settled();
    assertEquals(5, engagement.points("bob"));
    engagement.advance("P1D");
    engagement.send("bob", "order_placed");
    engagement.settled();
    assertEquals(5 + 5 + 10, engagement.points("bob"));
  }
}
